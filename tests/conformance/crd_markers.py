#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Whatever `kubegen crd` accepts, servers accept.

Writes 300 headers with random markers from a seed and gives them to `kubegen crd`. Lines that it
refuses are taken out until it takes the rest. What comes out goes to the test kit's API server and
to a real one: each must take every CRD, establish it, accept its names and find its schema
structural.

  crd_markers.py [--seed N] [--count N] [--keep DIR]

KUBEGEN, KUBEGEN_APISERVER: the programs. KUBEGEN_ENVTEST: what hack/setup-envtest.sh printed.
"""
import argparse
import json
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time

SOURCE = pathlib.Path(__file__).resolve().parents[2]
COUNT = 300
SEED = 20261122

WORDS = ['size', 'name', 'zone', 'mode', 'host', 'port', 'level', 'image', 'owner', 'secret_ref',
         'max_surge', 'ratio', 'since', 'grace', 'weight', 'labels', 'rules', 'peers', 'parts']
NUMBERS = ['0', '1', '-1', '5', '10', '100', '2147483647', '2147483648', '9223372036854775807',
           '1.5', '0.1', '1e3', '1e400', '-0']
COUNTS = ['0', '1', '2', '3', '10', '63', '253', '4096']
PATTERNS = ['^[a-z]+$', '^a.*b$', '[0-9]{1,3}', '(?:a|b)+', r'^\d+$', 'a{2,1}', '(', r'\pL+',
            '(?i)x', '(?=x)', '^$', 'a|b', '[[:alpha:]]', 'x{1001}', '[a', 'a)', '(?P<x>a)', '^*', '{',
            '[z-a]', r'\1', 'a**', r'\p{Foo}', '(?<n>a)', r'\C', 'x{99999999999}', r'^\PL*$']
FORMATS = ['ipv4', 'ipv6', 'cidr', 'uri', 'email', 'hostname', 'uuid', 'date', 'date-time', 'byte',
           'duration', 'mac', 'int32', 'double', 'password', 'no-such-format', 'k8s-short-name']
TEXTS = ['a', 'b', 'abc', '', '7', 'true', 'x-y', 'A B', '10.0.0.1', '::1', '10.0.0.0/8',
         'http://example.com/', 'a@example.com', 'example.com', '2026-01-31',
         '2026-01-31T12:00:00Z', '2026-13-41T25:00:00Z', 'YQ==', 'YQ=', '1h30m', '1Gi', '500m',
         '01234567-89ab-cdef-0123-456789abcdef', '01:23:45:67:89:ab', '\\u00e9\\u00e9']
NAMES = ['thing', 'things', 'x', 'nw', '2x', 'a-b', 'a-', 'a.b', 'l' * 63, 'l' * 64, 'all']
KEYS = ['example.com/a', 'a', 'a/b/c', 'Example.com/a', '-a', 'a' * 64, 'a.b-c_d', 'x' * 63]


def quoted(text):
    return '"' + text.replace('\\', '\\\\').replace('"', '\\"') + '"'


class Header:
    """One header of random structs."""

    def __init__(self, rnd, number, version='v1'):
        self.rnd = rnd
        self.dir = f'g{number}'
        self.version = version
        self.prefix = f'{self.dir}_{version}'
        self.structs = []  # (name, [(member, optional)])
        self.text = []

    def chance(self, share):
        return self.rnd.random() < share

    def pick(self, *values):
        return self.rnd.choice(values)

    # ---- values ----

    def json_value(self, kind):
        """A default for a type, mostly of the right kind."""
        if self.chance(0.1):
            kind = self.pick('string', 'integer', 'bool', 'list', 'map')
        if kind == 'integer':
            return self.rnd.choice(NUMBERS)
        if kind == 'number':
            return self.rnd.choice(NUMBERS)
        if kind == 'bool':
            return self.pick('true', 'false')
        if kind == 'list':
            return self.pick('[]', '["a"]', '["a","b"]', '["a","a"]', '[1]', '[null]', '[{}]')
        if kind == 'map':
            return self.pick('{}', '{"a":"b"}', '{"a":1}', '{"name":"x"}', '{"a":null}')
        if kind == 'any':
            return self.pick('{}', '[]', '1', '"x"', 'null', '{"a":[1]}')
        return json.dumps(self.rnd.choice(TEXTS).encode().decode('unicode_escape'))

    # ---- members ----

    def type_of(self, depth):
        """(C type, kind of its value, what its elements are)"""
        scalars = [('const char *', 'string'), ('bool ', 'bool'), ('int32_t ', 'integer'),
                   ('int64_t ', 'integer'), ('double ', 'number'), ('kube_opt_int32 ', 'integer'),
                   ('kube_opt_bool ', 'bool'), ('kube_opt_double ', 'number'),
                   ('kube_time ', 'text'), ('kube_duration ', 'text'), ('kube_quantity ', 'text'),
                   ('kube_int_or_string ', 'text'), ('kube_bytes ', 'text'),
                   ('kube_raw_json ', 'any')]
        lists = [('kube_string_list ', 'list'), ('int32_t_list ', 'list'),
                 ('kube_opt_int32_list ', 'list'), ('kube_string_list_list ', 'list'),
                 ('kube_string_map ', 'map'), ('kube_condition_list ', 'list'),
                 ('kube_label_selector ', 'map'), ('kube_object_meta ', 'map')]
        kind = self.rnd.random()
        if kind < 0.55 or depth == 0:
            return (*self.rnd.choice(scalars), None)
        if kind < 0.75 or not self.structs:
            return (*self.rnd.choice(lists), None)
        name, members = self.rnd.choice(self.structs)
        shape = self.pick(' ', ' *', '_list ', '_list ', '_list ', '_map ')
        return name + shape, 'map' if shape in (' ', ' *', '_map ') else 'list', members

    def merge_markers(self, c_type, kind, members):
        markers = []
        if kind == 'list' and self.chance(0.5):
            list_type = self.pick('atomic', 'set', 'map', 'map')
            markers.append(f'+listType={list_type}')
            if list_type == 'map' and members:
                markers += [f'+listMapKey={name}'
                            for name in self.rnd.sample(members, min(len(members), 1))]
        if kind == 'map' and self.chance(0.3):
            marker = 'mapType' if '_map' in c_type else 'structType'
            markers.append(f'+{marker}={self.pick("atomic", "granular")}')
        return markers

    def rule_markers(self, kind):
        rnd = self.rnd
        rules = []
        low, high = sorted([rnd.choice(NUMBERS), rnd.choice(NUMBERS)], key=float)
        least, most = sorted([rnd.choice(COUNTS), rnd.choice(COUNTS)], key=int)
        if kind in ('integer', 'number'):
            rules = [f'Minimum={low}', f'Maximum={high}', f'MultipleOf={rnd.choice(NUMBERS)}',
                     f'Enum={rnd.choice(NUMBERS)};{rnd.choice(NUMBERS)}', 'ExclusiveMinimum=true']
        elif kind == 'string':
            rules = [f'MinLength={least}', f'MaxLength={most}', f'Pattern=`{rnd.choice(PATTERNS)}`',
                     f'Format={rnd.choice(FORMATS)}', f'Format={rnd.choice(FORMATS)}',
                     'Enum=' + ';'.join(quoted(t) for t in rnd.sample(TEXTS[:8], 3))]
        elif kind == 'list':
            rules = [f'MinItems={least}', f'MaxItems={most}']
        elif kind == 'map':
            rules = [f'MinProperties={least}', f'MaxProperties={most}']
        return ['+kubebuilder:validation:' + rule for rule in rules if self.chance(0.25)]

    def member(self, name, depth):
        c_type, kind, inner = self.type_of(depth)
        markers = self.rule_markers(kind) + self.merge_markers(c_type, kind, inner)
        if self.chance(0.35):
            markers.append('+optional')
        elif self.chance(0.15):
            markers.append('+required')
        if self.chance(0.1):
            markers.append('+nullable')
        if self.chance(0.25):
            markers.append(f'+default={self.json_value(kind)}')
        self.rnd.shuffle(markers)
        return ''.join(f'    // {marker}\n' for marker in markers) + f'    {c_type}{name};\n'

    def struct(self, name, depth, marker=''):
        members = self.rnd.sample(WORDS, self.rnd.randint(1, 4))
        full = f'{self.prefix}_{name}'
        lines = [self.member(member, depth) for member in members]
        if self.chance(0.2):
            marker += f'// +structType={self.pick("atomic", "granular")}\n'
        self.text.append(f'{marker}typedef struct {full} {{\n{"".join(lines)}}} {full};\n'
                         f'KUBE_DECLARE_LIST({full});\nKUBE_DECLARE_MAP({full});\n')
        words = [member.split('_')[0] + ''.join(w.capitalize() for w in member.split('_')[1:])
                 for member in members]
        self.structs.append((full, words))
        return full

    # ---- Kinds ----

    def kind_markers(self):
        rnd = self.rnd
        args = [f'{what}={rnd.choice(NAMES)}' for what in ('shortName', 'categories', 'singular')
                if self.chance(0.15)]
        markers = []
        if args:
            markers.append('+kubebuilder:resource:' + ','.join(args))
        if self.chance(0.05):
            markers.append(f'+resourceName={rnd.choice(NAMES)}')
        if self.chance(0.1):
            markers.append(f'+kind={self.pick("Thing", "HTTPRoute", "K" * 59, "K" * 60, "X2")}')
        if self.chance(0.15):
            what = self.pick('labels', 'annotations')
            value = self.pick('x', '', 'a b', 'x' * 63, 'x' * 64)
            markers.append(f'+kubebuilder:metadata:{what}="{rnd.choice(KEYS)}={value}"')
        if self.chance(0.1):
            warning = self.pick('use v2', 'x' * 256, 'x' * 257, '')
            markers.append(f'+kubebuilder:deprecatedversion:warning="{warning}"')
        if self.chance(0.3):
            markers.append('+kubebuilder:subresource:status')
        if self.chance(0.2):
            markers.append('+kubebuilder:printcolumn:name="Size",type='
                           f'{self.pick("string", "integer", "date")},JSONPath=".metadata.name"')
        return markers

    def write(self, root, suffix='example.com'):
        for name in ('part', 'piece', 'item')[:self.rnd.randint(1, 3)]:
            self.struct(name, 1)
        spec = self.struct('spec', 1)
        markers = ''.join(f'// {marker}\n' for marker in ['+genclient'] + self.kind_markers())
        thing = f'{self.prefix}_thing'
        status = ''
        if self.chance(0.4) or 'subresource:status' in markers:
            status = f'    // +optional\n    {self.structs[0][0]} status;\n'
        self.text.append(f'/** Thing. */\n{markers}typedef struct {thing} {{\n'
                         f'    kube_object base;\n    kube_object_meta metadata;\n    {spec} spec;\n'
                         f'{status}}} {thing};\n')
        path = root / self.dir / self.version
        path.mkdir(parents=True)
        guard = self.prefix.upper()
        (path / 'types.h').write_text(
            f'// +groupName={self.dir}.{suffix}\n#ifndef {guard}_H\n#define {guard}_H\n'
            '#include <kube/meta.h>\n\n' + '\n'.join(self.text) + '\n#endif\n')
        return path


class Server:
    """An API server, of which kubectl asks."""

    def __init__(self, name, work, assets):
        self.name = name
        self.kubeconfig = work / f'{name}.kubeconfig'
        self.kubectl = assets / 'kubectl'
        self.dir = work / f'{name}-server'
        self.process = None

    def start_real(self):
        subprocess.run([SOURCE / 'hack/envtest.sh', 'start', self.dir, '--owner', str(os.getpid())],
                       check=True, stdout=subprocess.DEVNULL)
        shutil.copy(self.dir / 'kubeconfig', self.kubeconfig)

    def start_embedded(self, program):
        self.process = subprocess.Popen([program, '--tls', '--owner', str(os.getpid()),
                                         '--kubeconfig-out', self.kubeconfig],
                                        stdout=subprocess.PIPE, text=True)
        for line in self.process.stdout:  # the file is there before it is named
            if line.startswith('export KUBECONFIG='):
                return
        sys.exit('crd_markers: the test kit\'s API server did not start')

    def stop(self):
        if self.process:
            self.process.kill()
            self.process.wait()
        elif self.dir.exists():
            subprocess.run([SOURCE / 'hack/envtest.sh', 'kill', self.dir], check=False)

    def run(self, *args):
        return subprocess.run([self.kubectl, '--kubeconfig', self.kubeconfig, *args],
                              capture_output=True, text=True, check=False)

    def check(self, crds, known):
        """Returns what is wrong with the CRDs of a directory, by file."""
        wrong = []
        made = self.run('create', '-f', crds)
        wrong += [f'{self.name}: {line}' for line in made.stderr.splitlines()
                  if line.strip() and not line.startswith('Warning:')]
        end = time.monotonic() + 120
        while True:
            waited = self.run('wait', '--for=condition=Established', '--timeout=120s', 'crd', '--all')
            # kubectl gives up on one that has no conditions yet.
            if 'accessor error' not in waited.stderr or time.monotonic() > end:
                break
        if waited.returncode:
            wrong.append(f'{self.name}: {waited.stderr.strip()}')
        items = json.loads(self.run('get', 'crd', '-o', 'json').stdout)['items']
        for item in items:
            status = {c['type']: c for c in item['status'].get('conditions', [])}
            name = item['metadata']['name']
            if 'NonStructuralSchema' in status:
                wrong.append(f'{self.name}: {name}: {status["NonStructuralSchema"]["message"]}')
            if status.get('NamesAccepted', {}).get('status') != 'True':
                wrong.append(f'{self.name}: {name}: its names are not accepted')
        if len(items) != known:
            wrong.append(f'{self.name} has {len(items)} of {known} CRDs')
        return wrong


def without(text, numbers):
    """A header without the markers that stand in these lines, or right above a declaration there."""
    lines = text.split('\n')
    drop = set()
    for number in numbers:
        at = number - 1
        if lines[at].lstrip().startswith('// +'):
            drop.add(at)
            continue
        while lines[at - 1].lstrip().startswith('// +'):
            at -= 1
            if lines[at] != '// +genclient':
                drop.add(at)
    return '\n'.join(line for at, line in enumerate(lines) if at not in drop), len(drop)


def make_crds(paths, crds, reasons):
    """Gives headers to kubegen until it takes them; returns whether it did."""
    for _ in range(50):
        run = subprocess.run([os.environ['KUBEGEN'], 'crd', *paths, '--output-dir', crds],
                             capture_output=True, text=True, check=False)
        if run.returncode == 0:
            return True
        faults = re.findall(r'^(.*):(\d+):\d+: error: (.*)$', run.stderr, re.M)
        if run.returncode != 1 or not faults:
            sys.exit(f'crd_markers: {paths}: {run.returncode}: {run.stderr}')
        for _, _, reason in faults:
            reason = re.sub("'[^']*'|[0-9]+", '%', reason)
            reasons[reason] = reasons.get(reason, 0) + 1
        dropped = 0
        for file in {fault[0] for fault in faults}:
            text, count = without(pathlib.Path(file).read_text(),
                                  [int(fault[1]) for fault in faults if fault[0] == file])
            pathlib.Path(file).write_text(text)
            dropped += count
        if not dropped and len(paths) > 1:
            paths.pop()  # the versions do not go together
        elif not dropped:
            sys.exit(f'crd_markers: nothing is left to take out: {run.stderr}')
    return False


def write_crds(work, seed, count):
    """Returns the directory of CRDs, how many there are, and why markers were refused."""
    rnd = random.Random(seed)
    crds = work / 'crds'
    crds.mkdir()
    taken = 0
    reasons = {}
    for number in range(count):
        paths = [Header(rnd, number).write(work / 'apis')]
        if rnd.random() < 0.1:
            paths.append(Header(rnd, number, 'v2').write(work / 'apis'))
        taken += make_crds(paths, crds, reasons)
    return crds, taken, reasons


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--seed', type=int, default=SEED)
    parser.add_argument('--count', type=int, default=COUNT)
    parser.add_argument('--keep')
    args = parser.parse_args()
    if not os.environ.get('KUBEGEN_ENVTEST'):
        print('skipped: no real API server: set KUBEGEN_ENVTEST', file=sys.stderr)
        return 1 if os.environ.get('CI') == 'true' else 77
    assets = pathlib.Path(os.environ['KUBEGEN_ENVTEST'])
    work = pathlib.Path(tempfile.mkdtemp(prefix='kubegen-markers.'))
    servers = [Server('embedded', work, assets), Server('real', work, assets)]
    try:
        crds, taken, reasons = write_crds(work, args.seed, args.count)
        servers[0].start_embedded(os.environ['KUBEGEN_APISERVER'])
        servers[1].start_real()
        known = len(list(crds.iterdir()))
        wrong = [line for server in servers for line in server.check(crds, known)]
        if args.keep:
            shutil.copytree(work, args.keep, ignore=shutil.ignore_patterns('*-server'))
    finally:
        for server in servers:
            server.stop()
        shutil.rmtree(work, ignore_errors=True)
    for line in wrong:
        print(line, file=sys.stderr)
    print(f'crd_markers: seed {args.seed}: kubegen took {taken} of {args.count} sets of headers and '
          f'named {len(reasons)} reasons against markers; {len(wrong)} complaints of servers about '
          f'{known} CRDs')
    return 0 if not wrong and taken == args.count and len(reasons) >= 30 else 1


if __name__ == '__main__':
    sys.exit(main())
