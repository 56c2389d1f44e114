// An RTP flow that always has data to send, with WebRTC's Google Congestion Control as implemented by pion. Run `gcc
// receive HOST:PORT`, and `gcc send HOST:PORT`, which sends at the estimator's rate until it is stopped.
package main

import (
	"errors"
	"fmt"
	"net"
	"os"
	"time"

	"github.com/pion/interceptor"
	"github.com/pion/interceptor/pkg/cc"
	"github.com/pion/interceptor/pkg/gcc"
	"github.com/pion/interceptor/pkg/twcc"
	"github.com/pion/rtcp"
	"github.com/pion/rtp"
)

const (
	payloadBytes   = 1180
	packetBytes    = 1500
	initialBitrate = 1_000_000
	maxBitrate     = 500_000_000
	tick           = 5 * time.Millisecond
	// The largest burst beyond one packet, as the time to send it at the present rate.
	mostBurst = 40 * time.Millisecond
	ssrc      = 1
)

var stream = &interceptor.StreamInfo{
	SSRC: ssrc,
	RTPHeaderExtensions: []interceptor.RTPHeaderExtension{
		{URI: "http://www.ietf.org/id/draft-holmer-rmcat-transport-wide-cc-extensions-01", ID: 1},
	},
	RTCPFeedback: []interceptor.RTCPFeedback{{Type: "transport-cc"}},
}

func receive(address string) error {
	connection, err := net.ListenPacket("udp", address)
	if err != nil {
		return err
	}
	factory, err := twcc.NewSenderInterceptor()
	if err != nil {
		return err
	}
	feedback, err := factory.NewInterceptor("")
	if err != nil {
		return err
	}
	var sender net.Addr
	reader := feedback.BindRemoteStream(stream, interceptor.RTPReaderFunc(
		func(buffer []byte, attributes interceptor.Attributes) (int, interceptor.Attributes, error) {
			count, from, err := connection.ReadFrom(buffer)
			if sender == nil && err == nil {
				sender = from
				feedback.BindRTCPWriter(interceptor.RTCPWriterFunc(
					func(packets []rtcp.Packet, _ interceptor.Attributes) (int, error) {
						bytes, err := rtcp.Marshal(packets)
						if err != nil {
							return 0, err
						}
						return connection.WriteTo(bytes, from)
					}))
			}
			return count, attributes, err
		}))
	for buffer := make([]byte, packetBytes); ; {
		if _, _, err := reader.Read(buffer, interceptor.Attributes{}); err != nil {
			return err
		}
	}
}

func send(address string) error {
	connection, err := net.Dial("udp", address)
	if err != nil {
		return err
	}
	var estimator cc.BandwidthEstimator
	factory, err := cc.NewInterceptor(func() (cc.BandwidthEstimator, error) {
		return gcc.NewSendSideBWE(gcc.SendSideBWEInitialBitrate(initialBitrate), gcc.SendSideBWEMaxBitrate(maxBitrate))
	})
	if err != nil {
		return err
	}
	factory.OnNewPeerConnection(func(_ string, own cc.BandwidthEstimator) { estimator = own })
	control, err := factory.NewInterceptor("")
	if err != nil {
		return err
	}
	extension, err := (&twcc.HeaderExtensionInterceptorFactory{}).NewInterceptor("")
	if err != nil {
		return err
	}
	chain := interceptor.NewChain([]interceptor.Interceptor{control, extension})
	writer := chain.BindLocalStream(stream, interceptor.RTPWriterFunc(
		func(header *rtp.Header, payload []byte, _ interceptor.Attributes) (int, error) {
			bytes, err := (&rtp.Packet{Header: *header, Payload: payload}).Marshal()
			if err != nil {
				return 0, err
			}
			return connection.Write(bytes)
		}))
	reader := chain.BindRTCPReader(interceptor.RTCPReaderFunc(
		func(buffer []byte, attributes interceptor.Attributes) (int, interceptor.Attributes, error) {
			count, err := connection.Read(buffer)
			return count, attributes, err
		}))
	go func() {
		for buffer := make([]byte, packetBytes); ; {
			// Until the receiver listens, the kernel returns an error.
			if _, _, err := reader.Read(buffer, interceptor.Attributes{}); errors.Is(err, net.ErrClosed) {
				return
			}
		}
	}()
	payload := make([]byte, payloadBytes)
	budget, last := 0.0, time.Now()
	for number := uint16(0); ; time.Sleep(tick) {
		now := time.Now()
		rate := float64(estimator.GetTargetBitrate()) / 8
		budget = min(budget+now.Sub(last).Seconds()*rate, mostBurst.Seconds()*rate+payloadBytes)
		last = now
		for ; budget >= payloadBytes; budget -= payloadBytes {
			header := &rtp.Header{Version: 2, SSRC: ssrc, SequenceNumber: number}
			number++
			if _, err := writer.Write(header, payload, nil); err != nil {
				return err
			}
		}
	}
}

func main() {
	run := map[string]func(string) error{"receive": receive, "send": send}
	if len(os.Args) != 3 || run[os.Args[1]] == nil {
		fmt.Fprintln(os.Stderr, "expected: receive HOST:PORT, or send HOST:PORT")
		os.Exit(1)
	}
	if err := run[os.Args[1]](os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
