#!/usr/bin/env python3
"""Attention and matrix products beside the fastest that others have, in one process: medians of alternating rounds on random inputs.

A row prints what we reach, then for each peer its figure, the ratio (above 1: ours is faster), the ratio that is asked for and whether it
is met, which 0.99 of it is. Rows whose name contains a word are measured, or all. The last lines say how many rows are met, which are
missed, and which could not be measured and why. Exit status 1: a result was wrong, a call failed or no row has such a name; else 0.
"""
import argparse
import json
import math
import sys
import traceback

from peer_rows import PEERS, ROWS, describe, select

STATUSES = ("met", "missed", "wrong", "failed", "not measured")
TOLERANCE = 0.99
#: Of the relative difference between two results in bf16, each rounded by at most 2^-9 in the end and in its probabilities: 4e-3 is usual.
LARGEST_DIFFERENCE = 1e-2


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("library", nargs="?", help="libtile.so, as the bundle has it in lib/")
    parser.add_argument("words", nargs="*", metavar="word", help="parts of names of rows")
    parser.add_argument("--list", action="store_true", help="only print the rows and what they ask for; needs neither a GPU nor PyTorch")
    parser.add_argument("--peers", metavar="FOLDER", help="the peers' Python packages, where they are not installed")
    parser.add_argument("--no-workspace", action="store_true", help="call the library as if it needed no workspace")
    parser.add_argument("--beside", metavar="LIBRARY", help="a second libtile.so, measured on the same inputs")
    parser.add_argument("--json", metavar="FILE", help="write the results there too, after each row")
    parser.add_argument("--rounds", type=int, default=5, help="default: %(default)s")
    parser.add_argument("--pause", type=float, default=0, metavar="SECONDS",
                        help="idle before each measurement: clocks rise, and so does the scatter (default: %(default)s)")
    parser.add_argument("--budget", type=float, default=100, metavar="MS", help="of one measurement (default: %(default)s)")
    options = parser.parse_intermixed_args()
    if options.list:  # which needs no library: the first word is one
        options.words = [word for word in (options.library, *options.words) if word]
    elif not options.library:
        parser.error("expected the path of libtile.so, or --list")
    if options.rounds < 1 or options.pause < 0 or options.budget <= 0:
        parser.error("expected at least one round, a pause of at least 0 seconds and a budget above 0 ms")
    return options


class Table:
    """Measures rows, prints a line for each, and keeps what it found."""

    def __init__(self, options, library, peers, make, second=None):
        self.options, self.library, self.peers, self.make, self.second = options, library, peers, make, second
        self.results = []

    def measure(self, row):
        from peers import Missing
        from tile_library import NoKernel

        try:
            result = self.compare(row)
        except Missing as missing:
            result = {"status": "not measured", "reason": str(missing)}
        except NoKernel as missing:
            result = {"status": "not measured", "reason": f"the library has no kernel: {missing}"}
        except Exception as error:  # of a peer, of the driver: the other rows are wanted all the same
            traceback.print_exc()
            result = {"status": "failed", "reason": f"{type(error).__name__}: {error}"}
        self.results.append({"name": row.name, **result})
        print(line(self.results[-1]), flush=True)
        if self.options.json:
            with open(self.options.json, "w") as file:
                json.dump({"rows": self.results}, file, indent=1)

    def compare(self, row):
        """The result is checked first, of a poisoned output."""
        import torch
        from tile_library import alternate

        seed = int(torch.randint(2**31, ()))
        torch.manual_seed(seed)
        with torch.no_grad():
            case = self.make[row.kind](self.library, self.peers, **row.sizes)
            case.ours()
            difference = case.difference()
            if self.second:
                difference += self.add_second(row, case, seed)
            times = alternate({"ours": case.ours, **case.theirs}, self.options.rounds, self.options.pause, self.options.budget)
        rates = {name: case.flops_of.get(name, case.flops) / ms / 1e9 for name, ms in times.items()}
        return judge(row.asked, rates, difference) | {"ms": times, "note": case.note}

    def add_second(self, row, case, seed):
        """Adds the second library's call on the same inputs; its difference from ours."""
        import torch
        from peer_cases import relative
        from peers import NoPeers

        torch.manual_seed(seed)
        other = self.make[row.kind](self.second, NoPeers(), **row.sizes)
        other.ours()
        case.theirs["second"] = other.ours
        return relative(other.out, case.out)


def judge(asked, tflops, difference):
    """What the rates of "ours" and of the peers say about the ratios that are asked for."""
    peers = {name: {"tflops": rate, "ratio": tflops["ours"] / rate} for name, rate in tflops.items() if name != "ours"}
    for name, peer in peers.items():
        if asked.get(name):
            peer |= {"asked": asked[name], "met": peer["ratio"] >= TOLERANCE * asked[name]}
    met = all(peer.get("met", True) for peer in peers.values())
    right = difference <= LARGEST_DIFFERENCE  # NaN is not
    status = "wrong" if not right else "met" if met else "missed"
    return {"status": status, "tflops": tflops["ours"], "difference": difference, "peers": peers, "note": ""}


def three_digits(ratio):
    """Cut, not rounded: what looks as if it met the bar meets it."""
    return f"{math.floor(1000 * ratio) / 1000:.3f}"


def line(result):
    if "reason" in result:
        return f"{result['name']:52} {result['status'].upper()}: {result['reason']}"
    text = f"{result['name']:52} {result['tflops']:5.0f} TFLOP/s"
    for name, peer in result["peers"].items():
        verdict = f" of {peer['asked']:.2f} {'met' if peer['met'] else 'MISSED'}" if "asked" in peer else ""
        text += f" | {name} {peer['tflops']:.0f}, {three_digits(peer['ratio'])} x{verdict}"
    text += f" | {'WRONG, ' if result['status'] == 'wrong' else ''}difference {result['difference']:.1e}"
    return text + (f" | {result['note']}" if result["note"] else "")


def shortfall(result):
    return ", ".join(f"{three_digits(peer['ratio'])} of {peer['asked']:.2f} x {name}" for name, peer in result["peers"].items() if not peer.get("met", True))


def summary(results):
    """Lines: how many rows there are of each status, then all that is not met."""
    by = {status: [r for r in results if r["status"] == status] for status in STATUSES}
    lines = [f"{result['name']:52} missed: {shortfall(result)}" for result in by["missed"]]
    lines += [f"{result['name']:52} wrong: differs by {result['difference']:.1e}" for result in by["wrong"]]
    reasons = {}
    for result in by["failed"] + by["not measured"]:
        reasons.setdefault((result["status"].upper(), result["reason"]), []).append(result["name"])
    lines += [f"{status}, {reason}: {'; '.join(names)}" for (status, reason), names in reasons.items()]
    counts = ", ".join(f"{len(found)} {status}" for status, found in by.items())
    return lines + [f"{len(results)} rows of {len(ROWS)}: {counts}"]


def main():
    options = arguments()
    rows, unknown = select(options.words)
    if unknown:
        sys.exit(f"no row has a name with {', '.join(map(repr, unknown))}; see --list")
    if options.list:
        print("\n".join(map(describe, rows)))
        print(f"{len(rows)} rows; " + "; ".join(f"{name}: {what}" for name, what in PEERS.items()))
        return
    import torch

    from peer_cases import MAKE
    from peers import Peers
    from tile_library import Library

    if not torch.cuda.is_available():
        sys.exit("expected a GPU, found none that PyTorch can use; --list prints the rows without one")
    torch.seed()  # other inputs in each process
    second = Library(options.beside) if options.beside else None
    table = Table(options, Library(options.library, not options.no_workspace), Peers(options.peers), MAKE, second)
    print(f"torch {torch.__version__} on {torch.cuda.get_device_name()}; medians of {options.rounds} rounds; ratios above 1: ours is faster")
    for row in rows:
        table.measure(row)
        torch.cuda.empty_cache()
    print("\n".join(summary(table.results)))
    sys.exit(any(result["status"] in ("wrong", "failed") for result in table.results))


if __name__ == "__main__":
    main()
