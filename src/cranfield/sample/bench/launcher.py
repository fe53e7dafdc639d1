"""Run commands one after the other and print what they cost: CPU seconds, wall seconds, peak memory in bytes.

It is a separate small process, because the memory of a parent counts towards the peak of the processes it starts. It is
started as a file, without site-packages, so it imports nothing of cranfield.
"""

import json
import os
import sys
import time


def main() -> None:
    """Commands as JSON on stdin; their output goes to the file argv[1], their error output to argv[2]."""
    commands = json.load(sys.stdin)
    cpu, peak, code = 0.0, 0, 0
    append = os.O_WRONLY | os.O_CREAT | os.O_APPEND
    actions = [(os.POSIX_SPAWN_OPEN, number, sys.argv[number], append, 0o644) for number in (1, 2)]
    began = time.perf_counter()
    for command in commands:
        process = os.posix_spawnp(command[0], command, os.environ, file_actions=actions)
        _, status, usage = os.wait4(process, 0)
        cpu += usage.ru_utime + usage.ru_stime
        peak = max(peak, usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024))
        code = os.waitstatus_to_exitcode(status)
        if code:
            break
    json.dump({"cpu": cpu, "wall": time.perf_counter() - began, "peak": peak, "code": code}, sys.stdout)


if __name__ == "__main__":
    main()
