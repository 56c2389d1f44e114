"""A small generated day in the format of Puffer's public data, with a stream for each case of the analysis."""

import json
from pathlib import Path

NAME = "2019-01-02T11_2019-01-03T11"
#: 2019-01-02 11:00 UTC.
BEGINS_NS = 1_546_426_800 * 10**9
SCHEMES = ("bba/bbr", "fugu/bbr", "mpc/cubic")
CLIENT_BUFFER = "time (ns GMT),session_id,index,expt_id,channel,event,buffer,cum_rebuf"
VIDEO_SENT = (
    "time (ns GMT),session_id,index,expt_id,channel,video_ts,format,size,ssim_index,cwnd,in_flight,min_rtt,rtt,"
    "delivery_rate,buffer,cum_rebuf"
)
VIDEO_ACKED = "time (ns GMT),session_id,index,expt_id,channel,video_ts,buffer,cum_rebuf"


def reports(number: int) -> list[tuple[float, str, float, float]]:
    """Returns a stream's reports: seconds since its beginning, event, buffer and time stalled so far. The number of the
    stream selects its case."""
    case, length = number % 10, 6 + 7 * (number % 5) + 30 * (number % 3)
    rows = [(0.0, "init", 0.0, 0.0), (0.25, "timer", 0.0, 0.25)]
    if case == 1:
        # Playback never begins.
        return [*rows, *((0.25 * n, "timer", 0.0, 0.25 * n) for n in range(2, 30))]
    rows.append((0.5, "startup", 2.0, 0.5))
    length = 3 if case == 2 else length
    # Case 3 stalls for a second, case 4 for 25 s, and case 6 twice, the second time without resuming.
    stalls = {3: [(4, 5)], 4: [(8, 33)], 6: [(2, 2.5), (5, 400)]}.get(case, [])
    stalled = 0.5
    for n in range(3, 4 * length):
        at = 0.25 * n
        stalling = next((each for each in stalls if each[0] <= at < each[1]), None)
        if stalling and at == stalling[0]:
            rows.append((at, "rebuffer", 0.1, stalled))
        elif any(at == ends for _, ends in stalls):
            stalled += 0.25
            rows.append((at, "play", 1.0, stalled))
        else:
            stalled += 0.25 if stalling else 0
            # Near the end, a slow decoder adds a stall in case 5, and a wrong clock takes 1.5 s off the total in case 7.
            stalled += {5: 0.2, 7: -1.5}.get(case, 0) if n == 4 * length - 3 else 0
            rows.append((at, "timer", 0.1 if stalling else 6.0 + n % 7, stalled))
    if case == 8:
        # The viewer is away for nine seconds.
        rows = [(at + (9 if at > 4 else 0), event, buffer, stall) for at, event, buffer, stall in rows]
    return rows


def chunks(number: int) -> list[tuple[float, int, float, int]]:
    """Returns a stream's chunks: seconds since its beginning, size, SSIM index and delivery rate. One stream has no
    chunk, and another has only one chunk."""
    if number == 13:
        return []
    count = 1 if number == 19 else 3 + number % 6
    return [
        (
            0.1 + 2.002 * n,
            100_000 + 1000 * ((number * 7 + n * 13) % 50),
            # Some chunks do not differ from the original.
            1.0 if (number + n) % 11 == 0 else round(0.9 + 0.001 * ((number * 17 + n * 29) % 97), 4),
            250_000 + 50_000 * (number % 20),
        )
        for n in range(count)
    ]


def write_day(folder: Path, streams: int = 60) -> Path:
    """Writes the day's files into a folder. The rows are in the order of time, so those of different streams are
    mixed."""
    (folder / "logs").mkdir(parents=True)
    buffers, sent, acked = [], [], []
    for number in range(streams):
        expt_id, began = 1 + number % 3, BEGINS_NS + number * 60 * 10**9 + number

        def at(seconds: float, began: int = began) -> int:
            return began + round(seconds * 1e9)

        who = f"session{number // 2}=,{number % 2},{expt_id},abc"
        buffers += [(at(t), f"{who},{event},{b:g},{c:g}") for t, event, b, c in reports(number)]
        for t, size, ssim, rate in chunks(number):
            ts = round((t - 0.1) * 90_000)
            sent.append((at(t), f"{who},{ts},1280x720-22,{size},{ssim:g},20,3,10000,12000,{rate},5.5,0.5"))
            # The last chunk of every third stream never arrives.
            if not (number % 3 == 2 and (t, size, ssim, rate) == chunks(number)[-1]):
                acked.append((at(t + 0.5), f"{who},{ts},5.5,0.5"))
    for table, head, rows in (
        ("client_buffer", CLIENT_BUFFER, buffers),
        ("video_sent", VIDEO_SENT, sent),
        ("video_acked", VIDEO_ACKED, acked),
    ):
        lines = [head, *(f"{time},{rest}" for time, rest in sorted(rows))]
        (folder / f"{table}_{NAME}.csv").write_text("\n".join(lines) + "\n")
    settings = [
        f"{number} {json.dumps({'abr': scheme.split('/')[0], 'cc': scheme.split('/')[1]})}\n"
        for number, scheme in enumerate(SCHEMES, 1)
    ]
    (folder / "logs" / "expt_settings").write_text("".join(settings))
    return folder
