#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The same bytes to kube-apiserver and to the embedded server, over TLS: both answer with the same
statuses. Behind each case comes a good request, so that it shows whether a server keeps the
connection, and where it takes a request to end.

  raw_http.py [WORD…]    only the cases whose names have one of the words; prints both answers

KUBEGEN_ENVTEST: what hack/setup-envtest.sh printed; KUBEGEN_APISERVER: the program.
"""
import os
import re
import socket
import ssl
import subprocess
import sys
import tempfile

SOURCE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
FOLLOWING = b"GET /livez HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
CHUNKS = b"5\r\nhello\r\n0\r\n\r\n"
CONTROLS = [b for b in range(0x20) if b != 0x0A]
# What C strings cannot hold, and the body that is read before it is asked who sends it.
DIFFERENCES = {"target /%00", "target /api/v1/namespaces/default/configmaps/a%00b", "expect",
               "post trailer with a blank in its name"}

cases = {}


def get(name, headers=b"", line=b"GET /version HTTP/1.1", host=b"Host: a\r\n", body=b""):
    assert name not in cases, name
    cases[name] = line + b"\r\n" + host + headers + b"\r\n" + body + FOLLOWING


def line(name, text):
    get(name, line=text)


def post(name, headers, body=b"", version=b"1.1"):
    get("post " + name, b"Authorization: Bearer @TOKEN@\r\nContent-Type: application/json\r\n" + headers,
        b"POST /api/v1/namespaces HTTP/" + version, body=body)


def hosts():
    get("host")
    get("no host", host=b"")
    get("no host 1.0", line=b"GET /version HTTP/1.0", host=b"")
    get("two hosts", b"Host: b\r\n")
    get("one host twice", b"Host: a\r\n")
    get("two hosts 1.0", b"Host: b\r\n", line=b"GET /version HTTP/1.0")
    get("no host connect", line=b"CONNECT /version HTTP/1.1", host=b"")
    for value in ("", "a b", "a/b", "a@b", 'a"b', "evil.example.com", "\u00e9", "a,b", "a\\b", "a<b",
                  "a%41b", "[::1]:1", "a\tb", "a;b", "a~_!$&'()*+=b", "a^b", "a`b", "a{b", "a|b", "a#b",
                  "a?b"):
        get("host " + repr(value), host=b"Host: " + value.encode() + b"\r\n")


def headers():
    get("folded", b"X-A: a\r\n b\r\n")
    get("folded by tab", b"X-A: a\r\n\tb\r\n")
    get("folded first", host=b" X: a\r\nHost: a\r\n")
    get("folded host", host=b"Host: a\r\n b\r\n")
    get("blank before colon", b"X-A : a\r\n")
    get("tab before colon", b"X-A\t: a\r\n")
    get("blank before colon of a length", b"Content-Length : 5\r\n", body=b"hello")
    get("no colon", b"X-A\r\n")
    get("no name", b": a\r\n")
    get("line feeds", host=b"Host: a\nX-A: b\n")
    get("expect", b"Expect: 100-continue\r\nContent-Length: 5\r\n", line=b"POST /version HTTP/1.1",
        body=b"hello")
    get("expect other", b"Expect: foo\r\n")
    get("close and keep", b"Connection: close\r\nConnection: keep-alive\r\n")
    get("upgrade", b"Connection: Upgrade\r\nUpgrade: websocket\r\n")
    get("h2c", b"Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\n"
        b"HTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA\r\n")
    get("two authorizations", b"Authorization: Bearer a\r\nAuthorization: Bearer b\r\n")
    for byte in CONTROLS + list(b' "(),/:;<=>?@[\\]{}\x7f\x80\xff!#$%&\'*+-.^_`|~'):
        get("name with %02x" % byte, b"X-" + bytes([byte]) + b"A: a\r\n")
    for byte in CONTROLS + [0x20, 0x7F, 0x80, 0xA0, 0xFF]:
        get("value with %02x" % byte, b"X-A: a" + bytes([byte]) + b"b\r\n")
    for count in (1000, 5000):
        get("%d headers" % count, b"".join(b"X-%d: a\r\n" % i for i in range(count)))
    for size in (60000, 200000, 1040000, 1100000, 1300000):
        get("header of %d" % size, b"X-A: " + b"a" * size + b"\r\n")
        line("target of %d" % size, b"GET /version?a=" + b"a" * size + b" HTTP/1.1")


def request_lines():
    good = b"GET /version HTTP/1.1\r\nHost: a\r\n\r\n"
    for name, text in (("line feeds only", good.replace(b"\r", b"")),
                       ("carriage returns only", good.replace(b"\n", b"")),
                       ("empty lines first", b"\r\n\r\n" + good), ("line feed first", b"\n" + good),
                       ("blank first", b" " + good)):
        cases[name] = text + FOLLOWING
    for text in (b"GET  /version HTTP/1.1", b"GET /version  HTTP/1.1", b"GET /version HTTP/1.1 ",
                 b"GET\t/version\tHTTP/1.1", b"GET /version", b"GET /ver sion HTTP/1.1", b"GET",
                 b"OPTIONS * HTTP/1.1", b"CONNECT a:80 HTTP/1.1"):
        line(repr(text), text)
    for version in ("HTTP/1.2 HTTP/2.0 HTTP/0.9 HTTP/1.10 HTTP/1 http/1.1 HTTP/1.01 HTTP/01.1 HTP/1.1 "
                    "HTTP/1.1x HTTP/9.9 HTTP/1.0 HTTP/3.0 HTTP/1.a HTTPS/1.1").split():
        line("version " + version, b"GET /version " + version.encode())
    for byte in CONTROLS + list(b' "#%<>\\^`{|}\x7f\x80\xff'):
        line("path with %02x" % byte, b"GET /version" + bytes([byte]) + b"a HTTP/1.1")
        line("query with %02x" % byte, b"GET /version?a=" + bytes([byte]) + b"a HTTP/1.1")
    for target in ("version * //version http://a/version https://a/version /% /%zz /%00 /version?%zz "
                   "/version#a ftp://a/version http:/version http:///version a:80 /version;a "
                   "/a/../version /./version http://[::1/version http://[::1]/version "
                   "http://a@b/version ?a http://a%zz/version HTTP://a/version /ver%73ion /version%2f "
                   "/api/v1/namespaces/default/configmaps/a%00b /version?x=%00 http://a:b/version "
                   "http://a:99999/version 1http://a/version").split():
        line("target " + target, b"GET " + target.encode() + b" HTTP/1.1")
    for method in (b"get", b"FOO", b"G@T", b"GE(T", b"OPTIONS", b"TRACE", b"CONNECT", b"PRI", b"HEAD",
                   b"G\0T", b"\xc3\xa9", b"A" * 300):
        line("method " + repr(method), method + b" /version HTTP/1.1")


def bodies():
    post("nothing", b"")
    for name, values in (("twice", (b"5", b"5")), ("two", (b"5", b"6")), ("two, the first bad", (b"x", b"5"))):
        post("lengths " + name, b"".join(b"Content-Length: " + v + b"\r\n" for v in values), b"hello")
    for value in (b"5", b"5, 5", b"+5", b"-1", b"-0", b"0x5", b"5 ", b"05", b"", b"5a", b"\t5", b"5\x0b",
                  b"5.0", b"99999999999999999999", b"18446744073709551621", b"9223372036854775808",
                  b'"5"', b"1e1", b"5;", b"5 5", b"\xc2\xa05", b"0" * 31 + b"5"):
        post("length " + repr(value), b"Content-Length: " + value + b"\r\n", b"hello")
    for value in (b"chunked", b"Chunked", b"identity", b"gzip, chunked", b"chunked, chunked", b"chunked,",
                  b"xchunked", b"\x0bchunked", b"chunked ", b"chunked;q=1", b"gzip", b"", b'"chunked"',
                  b"chunked\t", b"chunked, identity", b"identity, chunked", b"chun\0ked"):
        post("coding " + repr(value), b"Transfer-Encoding: " + value + b"\r\n", CHUNKS)
    coding = b"Transfer-Encoding: chunked\r\n"
    post("coding twice", coding + coding, CHUNKS)
    post("two codings", coding + b"Transfer-Encoding: identity\r\n", CHUNKS)
    post("two codings, chunked last", b"Transfer-Encoding: identity\r\n" + coding, CHUNKS)
    for length in (b"5", b"4", b"abc", b"-1"):
        post("coding and length " + repr(length), coding + b"Content-Length: " + length + b"\r\n", CHUNKS)
        post("length and coding " + repr(length), b"Content-Length: " + length + b"\r\n" + coding, CHUNKS)
    post("two lengths and coding", b"Content-Length: 4\r\nContent-Length: 7\r\n" + coding, CHUNKS)
    post("coding before a blank", b"Transfer-Encoding : chunked\r\n", CHUNKS)
    post("coding folded", b"Transfer-Encoding:\r\n chunked\r\n", CHUNKS)
    post("coding misspelt", b"Transfer_Encoding: chunked\r\nContent-Length: 5\r\n", b"hello")
    keep = b"Connection: keep-alive\r\n"
    post("coding 1.0", keep + coding, CHUNKS, b"1.0")
    post("coding and length 1.0", keep + coding + b"Content-Length: 5\r\n", CHUNKS, b"1.0")
    get("get with length", b"Content-Length: 5\r\n", body=b"hello")
    get("get with chunks", coding, body=CHUNKS)


def chunks():
    rest = b"\r\nhello\r\n0\r\n\r\n"
    for size in (b"5;a=b", b"5 ;a=b", b'5;a="b', b"5 ", b" 5", b"5\t", b"0x5", b"0" * 18 + b"5",
                 b"0" * 13 + b"5", b"+5", b"-5", b"xyz", b"", b"f" * 17, b";", b"5;" + b"a" * 5000,
                 b"5;\x01", b"5;\0", b"5;a\rb"):
        post("chunk " + repr(size[:20]), b"Transfer-Encoding: chunked\r\n", size + rest)
    for body in (b"5\nhello\n0\n\n", b"5\nhello\r\n0\r\n\r\n", b"5\r\nhello\n0\r\n\r\n",
                 b"5\r\nhello0\r\n\r\n", b"5\rhello\r\n0\r\n\r\n", b"5\r\nhelloX\r\n0\r\n\r\n",
                 b"6\r\nhello\r\n0\r\n\r\n", b"5\r\nhello\r\n0\r\nX-T: a\r\n\r\n",
                 b"5\r\nhello\r\n0\r\nHost: a\r\n\r\n",
                 b"5\r\nhello\r\n0\r\nContent-Length: 1\r\n\r\n", b"5\r\nhello\r\n0\r\nfoo\r\n\r\n",
                 b"A\r\nhellohello\r\n0\r\n\r\n", b"5\r\nhello\r\n00\r\n\r\n",
                 b"5\r\nhello\r\n0;a\r\n\r\n", b"5\r\nhello\r\n0\r\nX", b"0\r\n\r\n",
                 b"1;" + b"a" * 3000 + b"\r\nx\r\n" + b"5;a" + rest,
                 (b"1;" + b"a" * 3000 + b"\r\nx\r\n") * 8 + b"0\r\n\r\n"):
        post("chunks " + repr(body[-60:]), b"Transfer-Encoding: chunked\r\n", body)
    post("trailer with a blank in its name", b"Transfer-Encoding: chunked\r\n",
         b"5\r\nhello\r\n0\r\nX T: a\r\n\r\n")


class Server:
    """Where a kubeconfig says that one is."""

    def __init__(self, kubeconfig):
        with open(kubeconfig, encoding="utf-8") as file:
            text = file.read()
        host, port = re.search(r"server: https://([^:/]+):(\d+)", text).groups()
        self.address = (host, int(port))
        self.token = re.search(r'token: "?([^"}\s]+)', text).group(1).encode()
        self.tls = ssl.create_default_context()
        self.tls.check_hostname = False  # this is no test of TLS
        self.tls.verify_mode = ssl.CERT_NONE

    def ask(self, data):
        """Sends it and reads to the end; the statuses, and everything."""
        out = b""
        with self.tls.wrap_socket(socket.create_connection(self.address)) as connection:
            connection.settimeout(20)
            try:
                connection.sendall(data.replace(b"@TOKEN@", self.token))
            except OSError:
                pass  # it has closed, and may have said why
            try:
                while part := connection.recv(65536):
                    out += part
            except TimeoutError:
                return ["no end"], out
            except OSError:
                pass
        return [int(s) for s in re.findall(rb"HTTP/1\.[01] (\d\d\d)", out) if s != b"100"], out


def start(work):
    """Both servers; the embedded one ends with this process."""
    real = os.path.join(work, "real")
    kubeconfig = os.path.join(work, "kubeconfig")
    subprocess.run([SOURCE + "/hack/envtest.sh", "start", real, "--owner", str(os.getpid())], check=True,
                   stdout=subprocess.DEVNULL)
    embedded = subprocess.Popen([os.environ["KUBEGEN_APISERVER"], "--tls", "--rbac", "--kubeconfig-out",
                                 kubeconfig], stdout=subprocess.PIPE, text=True)
    for text in embedded.stdout:
        if text.startswith("export KUBECONFIG="):
            break
    return embedded, Server(os.path.join(real, "kubeconfig")), Server(kubeconfig)


def main():
    if not os.environ.get("KUBEGEN_ENVTEST"):
        print("skipped: no real API server: set KUBEGEN_ENVTEST", file=sys.stderr)
        return 1 if os.environ.get("CI") == "true" else 77
    for fill in (hosts, headers, request_lines, bodies, chunks):
        fill()
    words = sys.argv[1:]
    failed = 0
    with tempfile.TemporaryDirectory() as work:
        embedded, theirs, ours = start(work)
        try:
            for name, data in cases.items():
                if words and not any(word in name for word in words):
                    continue
                (want, their_text), (got, our_text) = theirs.ask(data), ours.ask(data)
                if words:
                    print(name, want, their_text[:800], got, our_text[:800], sep="\n")
                if (want == got) == (name in DIFFERENCES):
                    failed += 1
                    print("%s: kube-apiserver %s, embedded %s" % (name, want, got))
        finally:
            embedded.kill()
            embedded.wait()
            subprocess.run([SOURCE + "/hack/envtest.sh", "kill", os.path.join(work, "real")], check=False)
    print("%d cases, %d fail" % (len(cases), failed))
    return 1 if failed else 0


sys.exit(main())
