/* SPDX-License-Identifier: Apache-2.0 */

package main

import (
	"fmt"
	"net/url"
	"os"
	"time"

	"go.etcd.io/etcd/server/v3/embed"
)

// maxSocketPath keeps socket names within what every system's sockaddr_un holds.
const maxSocketPath = 90

type etcd struct {
	server    *embed.Etcd
	url       string
	socketDir string // where the sockets are if they could not be in the state directory
}

func (e *etcd) removeSockets() {
	if e.socketDir != "" {
		os.RemoveAll(e.socketDir)
	}
}

func startEtcd(dir stateDir) (*etcd, error) {
	e := &etcd{}
	sockets := dir
	if len(dir.file("client.sock")) > maxSocketPath {
		tmp, err := os.MkdirTemp("", "kubegen-envtest-")
		if err != nil {
			return nil, err
		}
		e.socketDir, sockets = tmp, stateDir(tmp)
	}
	client := url.URL{Scheme: "unix", Path: sockets.file("client.sock")}
	// The peer URL is part of the member's identity in the data directory, so it must not
	// change between runs; a lone member never connects to it.
	peer := url.URL{Scheme: "http", Host: "127.0.0.1:0"}

	cfg := embed.NewConfig()
	cfg.Dir = dir.file("etcd")
	cfg.ListenClientUrls = []url.URL{client}
	// Nobody asks the member for this one; etcd 3.5 refuses to advertise a path.
	cfg.AdvertiseClientUrls = []url.URL{peer}
	cfg.ListenPeerUrls, cfg.AdvertisePeerUrls = []url.URL{peer}, []url.URL{peer}
	cfg.InitialCluster = cfg.Name + "=" + peer.String()
	cfg.TickMs, cfg.ElectionMs = 10, 100 // nobody to vote with: leader at once instead of after 1 s
	cfg.UnsafeNoFsync = true             // tests outlive a killed process, not a power cut
	cfg.Logger, cfg.LogLevel = "zap", "warn"
	cfg.LogOutputs = []string{dir.file("etcd.log")}

	server, err := embed.StartEtcd(cfg)
	if err != nil {
		e.removeSockets()
		return nil, err
	}
	e.server, e.url = server, client.String()
	select {
	case <-server.Server.ReadyNotify():
		return e, nil
	case err = <-server.Err():
	case <-time.After(30 * time.Second):
		err = fmt.Errorf("not ready after 30 s, see %s", dir.file("etcd.log"))
	}
	e.removeSockets()
	return nil, err
}
