# meanderd and meanderctl on Debian 12, with the libraries that they need and
# no more. Build: docker build -t meander .
# Run: docker run -p 50051:50051 meander

FROM debian:bookworm-slim AS build
WORKDIR /meander
COPY .ci/setup .ci/setup
RUN .ci/setup build
COPY . .
# The compiler is known here, so that a warning is an error.
RUN cmake --preset release -DMEANDER_TESTS=OFF -DMEANDER_WERROR=ON \
 && cmake --build --preset release \
 && cmake --install build/release --component runtime --strip --prefix /opt

FROM debian:bookworm-slim
COPY .ci/setup /tmp/.ci/setup
RUN /tmp/.ci/setup run \
 && rm -rf /tmp/.ci /var/cache/apt/* /var/lib/apt/lists/*
COPY --from=build /opt /usr/local

LABEL org.opencontainers.image.title="Meander" \
      org.opencontainers.image.description="Worlds of steering agents" \
      org.opencontainers.image.licenses="Apache-2.0"

# A number, so that Kubernetes can tell that it is not root. Nothing is written:
# the root file system may be read-only.
USER 65532:65532
EXPOSE 50051
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=5s \
  CMD ["meanderd", "--healthcheck"]
ENTRYPOINT ["meanderd"]
# All interfaces of the container, in plaintext and without authentication: who
# may reach it is for `docker run -p` to say.
CMD ["--listen=0.0.0.0:50051", "--insecure"]
