/* SPDX-License-Identifier: Apache-2.0 */

package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"strconv"
	"time"

	"github.com/spf13/pflag"
	"k8s.io/client-go/rest"
	_ "k8s.io/component-base/metrics/prometheus/clientgo"
	_ "k8s.io/component-base/metrics/prometheus/version"
	"k8s.io/kubernetes/cmd/kube-apiserver/app"
	"k8s.io/kubernetes/cmd/kube-apiserver/app/options"
)

const (
	// Below the ports the kernel gives to outgoing connections (and below node ports).
	// From that range a client that keeps reconnecting to a stopped server could be given
	// the server's own port, connect to itself, and keep the server from coming back.
	firstPort, lastPort = 20000, 29999

	readyTimeout = 60 * time.Second
)

type apiServer struct {
	url  string
	opts options.CompletedOptions
}

// listen opens the server's socket here, so that nobody takes the port in between.
func listen(port int) (net.Listener, int, error) {
	if port != 0 {
		l, err := net.Listen("tcp", "127.0.0.1:"+strconv.Itoa(port))
		return l, port, err
	}
	var err error
	for range 200 {
		port = firstPort + rand.IntN(lastPort-firstPort+1)
		var l net.Listener
		if l, err = net.Listen("tcp", "127.0.0.1:"+strconv.Itoa(port)); err == nil {
			return l, port, nil
		}
	}
	return nil, 0, fmt.Errorf("no free port between %d and %d: %w", firstPort, lastPort, err)
}

func newServer(ctx context.Context, dir stateDir, port int, etcdURL string, extra []string) (*apiServer, error) {
	listener, port, err := listen(port)
	if err != nil {
		return nil, err
	}
	url := "https://127.0.0.1:" + strconv.Itoa(port)
	args := append([]string{
		"--etcd-servers=" + etcdURL,
		"--bind-address=127.0.0.1",
		"--advertise-address=127.0.0.1",
		"--secure-port=" + strconv.Itoa(port),
		"--endpoint-reconciler-type=none",
		"--service-cluster-ip-range=10.0.0.0/24",
		"--tls-cert-file=" + dir.file("server.crt"),
		"--tls-private-key-file=" + dir.file("server.key"),
		"--client-ca-file=" + dir.file("ca.crt"),
		"--token-auth-file=" + dir.file("tokens.csv"),
		"--authorization-mode=RBAC",
		"--disable-admission-plugins=ServiceAccount",
		"--allow-privileged=true",
		"--service-account-issuer=https://kubernetes.default.svc",
		"--service-account-key-file=" + dir.file("sa.key"),
		"--service-account-signing-key-file=" + dir.file("sa.key"),
	}, extra...)

	opts := newOptions()
	flags := pflag.NewFlagSet("kube-apiserver", pflag.ContinueOnError)
	flags.Usage = func() {}
	sets := opts.Flags()
	for _, set := range sets.FlagSets {
		flags.AddFlagSet(set)
	}
	if err := flags.Parse(args); err != nil {
		return nil, err
	}
	if flags.NArg() > 0 {
		return nil, fmt.Errorf("unexpected argument %q", flags.Arg(0))
	}
	opts.SecureServing.Listener = listener
	completed, err := completeOptions(ctx, opts)
	if err != nil {
		return nil, err
	}
	if err := errors.Join(completed.Validate()...); err != nil {
		return nil, err
	}
	return &apiServer{url: url, opts: completed}, nil
}

func (s *apiServer) run(ctx context.Context) error {
	err := app.Run(ctx, s.opts)
	if err == nil && ctx.Err() == nil {
		err = errors.New("kube-apiserver ended by itself")
	}
	return err
}

// adminConfig is how this process itself talks to the server.
func adminConfig(dir stateDir, url string) *rest.Config {
	return &rest.Config{
		Host:            url,
		BearerToken:     adminToken,
		UserAgent:       "kubegen-envtest",
		QPS:             -1,
		TLSClientConfig: rest.TLSClientConfig{CAFile: dir.file("ca.crt")},
	}
}

// waitReady returns once /readyz is ok and the default namespace, which is made a
// moment later, can be used.
func (s *apiServer) waitReady(ctx context.Context, dir stateDir) error {
	client, err := rest.HTTPClientFor(adminConfig(dir, s.url))
	if err != nil {
		return err
	}
	client.Timeout = 5 * time.Second
	defer client.CloseIdleConnections()

	deadline := time.Now().Add(readyTimeout)
	last := errors.New("no answer")
	for _, path := range []string{"/readyz", "/api/v1/namespaces/default"} {
		for {
			response, err := client.Get(s.url + path)
			if err == nil {
				response.Body.Close()
				if response.StatusCode == http.StatusOK {
					break
				}
				err = fmt.Errorf("%s: %s", path, response.Status)
			}
			if last = err; time.Now().After(deadline) {
				return fmt.Errorf("not ready after %s: %w", readyTimeout, last)
			}
			select {
			case <-ctx.Done():
				return ctx.Err()
			case <-time.After(20 * time.Millisecond):
			}
		}
	}
	fmt.Fprintln(os.Stderr, "kubegen-envtest: ready at", s.url)
	return nil
}
