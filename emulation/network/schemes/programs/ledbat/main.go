// A libutp flow that always has data to send, with the congestion control LEDBAT. Run `ledbat receive HOST:PORT`, and
// `ledbat send HOST:PORT`, which sends until it is stopped.
package main

import (
	"fmt"
	"io"
	"os"

	utp "github.com/anacrolix/go-libutp"
)

const pieceBytes = 64 << 10

func run(role, address string) error {
	if role == "receive" {
		socket, err := utp.NewSocket("udp", address)
		if err != nil {
			return err
		}
		connection, err := socket.Accept()
		if err != nil {
			return err
		}
		_, err = io.Copy(io.Discard, connection)
		return err
	}
	socket, err := utp.NewSocket("udp", ":0")
	if err != nil {
		return err
	}
	connection, err := socket.Dial(address)
	if err != nil {
		return err
	}
	for piece := make([]byte, pieceBytes); ; {
		if _, err := connection.Write(piece); err != nil {
			return err
		}
	}
}

func main() {
	if len(os.Args) != 3 || (os.Args[1] != "receive" && os.Args[1] != "send") {
		fmt.Fprintln(os.Stderr, "expected: receive HOST:PORT, or send HOST:PORT")
		os.Exit(1)
	}
	if err := run(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
