# SPDX-License-Identifier: Apache-2.0
# One example controller as an image:
#
#   docker build --build-arg CONTROLLER=appservice-controller -t appservice-controller .
#
# tests/hack/test_container.sh runs these lines, without a container engine.
FROM debian:bookworm AS build
ARG CONTROLLER=network-controller
WORKDIR /src
COPY hack/container/build.sh hack/container/build.sh
RUN hack/container/build.sh packages
COPY CMakeLists.txt CMakeLists.txt
COPY hack/cmake hack/cmake
COPY templates templates
COPY gen gen
COPY runtime runtime
COPY apis apis
COPY examples examples
RUN hack/container/build.sh controller $CONTROLLER /out/controller

FROM debian:bookworm-slim
COPY --from=build /out/controller /usr/local/bin/controller
COPY hack/container/runtime.sh /tmp/runtime.sh
RUN /tmp/runtime.sh /usr/local/bin/controller && rm /tmp/runtime.sh
USER 65532:65532
ENTRYPOINT ["/usr/local/bin/controller"]
