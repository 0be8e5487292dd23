# SPDX-License-Identifier: Apache-2.0
# One example controller as an image:
#
#   docker build --build-arg CONTROLLER=appservice-controller -t appservice-controller .
#
# tests/hack/test_container.sh runs these lines, without a container engine.
# hack/container/pin.sh takes up a newer one.
ARG DEBIAN=debian:bookworm-slim@sha256:88200866dfff7ea7f5cbcb6ec7c8a701889efe6fe859fe64d6990e4b07ea4171
FROM $DEBIAN AS build
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

FROM $DEBIAN
COPY --from=build /out/controller /usr/local/bin/controller
COPY hack/container/runtime.sh /tmp/runtime.sh
RUN /tmp/runtime.sh /usr/local/bin/controller && rm /tmp/runtime.sh
USER 65532:65532
ENTRYPOINT ["/usr/local/bin/controller"]
