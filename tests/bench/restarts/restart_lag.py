#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How soon are caches in step again when kube-apiserver has been restarted?

    tests/bench/restarts/restart_lag.py FOLLOWER [--restarts N] [--away S] [--between S] [--alone]
                                                 [--keep DIRECTORY]

Three informers of libkube (FOLLOWER, built from follower.c as bench_restarts) and three of client-go
(peer/, built here with Go) follow Networks, ConfigMaps and Secrets of one real API server beside each
other. It is stopped, kept away for S seconds (10), and started again with the same etcd; as soon as
it is ready an object of each type is changed. The lag is the time from that change until the
informer's handler is told. After S further seconds (20) it is restarted again, N times (7).
Prints each lag, then median and maximum of both. --alone, or without go on the PATH: without
client-go. --keep DIRECTORY: the followers' logs go there.

Exits 1 if a change was not seen within three minutes, or if median or maximum of libkube is above
client-go's; 77 if KUBEGEN_ENVTEST is not set, by which tests know that there is a real API server.
"""
import argparse
import json
import os
import random
import shutil
import signal
import ssl
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(HERE)))
ENVTEST = os.path.join(ROOT, "hack", "envtest.sh")
CRD = os.path.join(ROOT, "examples/network-controller/config/crd/samplecrd.k8s.io_networks.yaml")
PATIENCE_S = 180
OBJECTS = {
    "networks": ("/apis/samplecrd.k8s.io/v1", "samplecrd.k8s.io/v1", "Network",
                 {"spec": {"cidr": "10.1.0.0/16", "gateway": "10.1.0.1"}}),
    "configmaps": ("/api/v1", "v1", "ConfigMap", {}),
    "secrets": ("/api/v1", "v1", "Secret", {}),
}


class Server:
    """The API server of one directory, on one port for good."""

    def __init__(self, directory):
        self.directory = directory
        self.port = random.randint(20000, 29999)
        self.tls = None

    def start(self):
        subprocess.run([ENVTEST, "start", self.directory, "--port", str(self.port),
                        "--owner", str(os.getpid())], check=True, stdout=subprocess.DEVNULL)
        self.tls = ssl.create_default_context(cafile=os.path.join(self.directory, "ca.crt"))

    def end(self, how):
        subprocess.run([ENVTEST, how, self.directory], check=True, stdout=subprocess.DEVNULL)

    def kubeconfig(self):
        return os.path.join(self.directory, "kubeconfig")

    def call(self, method, path, body=None, content_type="application/json"):
        """Tries until it is answered with success: right after a start some answers are 4xx."""
        deadline = time.monotonic() + PATIENCE_S
        while True:
            request = urllib.request.Request(
                f"https://127.0.0.1:{self.port}{path}", method=method,
                data=None if body is None else json.dumps(body).encode(),
                headers={"Authorization": "Bearer admin-token", "Content-Type": content_type})
            begin = time.time_ns()
            try:
                with urllib.request.urlopen(request, context=self.tls) as answer:
                    answer.read()
                    return begin
            except (urllib.error.URLError, ConnectionError, TimeoutError) as error:
                if getattr(error, "code", 0) == 409:
                    return begin
                if time.monotonic() > deadline:
                    raise
                time.sleep(0.02)

    def set_round(self, resource, number):
        return self.call("PATCH", f"{OBJECTS[resource][0]}/namespaces/default/{resource}/lag",
                         {"metadata": {"annotations": {"kubegen.dev/round": str(number)}}},
                         "application/merge-patch+json")

    def create_objects(self):
        kubectl = os.path.join(os.environ["KUBEGEN_ENVTEST"], "kubectl")
        subprocess.run([kubectl, "--kubeconfig", self.kubeconfig(), "apply", "-f", CRD],
                       check=True, stdout=subprocess.DEVNULL)
        for resource, (path, version, kind, rest) in OBJECTS.items():
            self.call("POST", f"{path}/namespaces/default/{resource}",
                      {"apiVersion": version, "kind": kind, "metadata": {"name": "lag"}, **rest})


class Follower:
    """A program that tells when its caches know a round."""

    def __init__(self, name, command, log):
        self.name = name
        self.seen = {}
        self.changed = threading.Condition()
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=open(log, "wb"), text=True)
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        for line in self.process.stdout:
            resource, number, at = line.split()
            with self.changed:
                self.seen.setdefault((resource, int(number)), int(at))
                self.changed.notify_all()

    def wait(self, resource, number):
        with self.changed:
            self.changed.wait_for(lambda: (resource, number) in self.seen, PATIENCE_S)
            return self.seen.get((resource, number))

    def end(self):
        self.process.stdin.close()
        self.process.wait()


def restart_and_measure(server, followers, number, away_s):
    server.end("kill" if number % 2 else "stop")
    time.sleep(away_s)
    server.start()
    changed = {resource: server.set_round(resource, number) for resource in OBJECTS}
    lags = {}
    for follower in followers:
        for resource, at in changed.items():
            seen = follower.wait(resource, number)
            lags[follower.name, resource] = (seen - at) / 1e9 if seen else float("inf")
    print(f"restart {number}: " + "; ".join(
        f"{follower.name} " + " ".join(f"{lags[follower.name, r]:.2f}" for r in OBJECTS)
        for follower in followers), flush=True)
    return lags


def measure(arguments, directory):
    server = Server(os.path.join(directory, "server"))
    followers = []
    lags = []
    commands = {"libkube": [arguments.follower]}
    if not arguments.alone:
        peer = os.path.join(directory, "peer")
        subprocess.run(["go", "build", "-o", peer, "."], check=True,
                       cwd=os.path.join(HERE, "peer"))
        commands["client-go"] = [peer]
    try:
        server.start()
        server.create_objects()
        for name, command in commands.items():
            followers.append(Follower(name, command + [server.kubeconfig()],
                                      os.path.join(directory, name + ".log")))
        for resource in OBJECTS:
            server.set_round(resource, 0)
            if not all(follower.wait(resource, 0) for follower in followers):
                sys.exit(f"restart_lag: the caches of {resource} do not fill")
        print("lags in s of " + ", ".join(OBJECTS), flush=True)
        for number in range(1, arguments.restarts + 1):
            time.sleep(arguments.between)
            lags.append(restart_and_measure(server, followers, number, arguments.away))
    finally:
        for follower in followers:
            follower.end()
        server.end("kill")
        if arguments.keep:
            for name in commands:
                shutil.copy(os.path.join(directory, name + ".log"), arguments.keep)
    return {follower.name: sorted(lag for by_one in lags for (name, _), lag in by_one.items()
                                  if name == follower.name) for follower in followers}


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("\n\n")[1].strip())
    parser.add_argument("follower")
    parser.add_argument("--restarts", type=int, default=7)
    parser.add_argument("--away", type=float, default=10)
    parser.add_argument("--between", type=float, default=20)
    parser.add_argument("--alone", action="store_true")
    parser.add_argument("--keep")
    arguments = parser.parse_args()
    if not os.environ.get("KUBEGEN_ENVTEST"):
        print("set KUBEGEN_ENVTEST to the directory that hack/setup-envtest.sh prints")
        sys.exit(77)
    arguments.alone = arguments.alone or not shutil.which("go")
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    directory = tempfile.mkdtemp(prefix="restart-lag.")
    try:
        lags = measure(arguments, directory)
    finally:
        shutil.rmtree(directory, ignore_errors=True)
    figures = {name: (statistics.median(values), values[-1]) for name, values in lags.items()}
    for name, (median, maximum) in figures.items():
        print(f"{name}: median {median:.2f} s, maximum {maximum:.2f} s, of {len(lags[name])}")
    ours, peer = figures["libkube"], figures.get("client-go", (float("inf"), float("inf")))
    if ours[1] == float("inf") or ours[0] > peer[0] or ours[1] > peer[1]:
        sys.exit(1)


if __name__ == "__main__":
    main()
