# The program and the laboratory, from the packages that `make package` has made:
#   docker build --tag goodput . && docker run --rm --volume "$PWD:/work" --user "$(id -u)" goodput run study.toml
FROM debian:bookworm-slim
COPY dist/*.deb /tmp/
RUN dpkg --install /tmp/goodput_*.deb /tmp/goodput-lab_*.deb && rm /tmp/*.deb
# For the cache of whoever --user names.
ENV HOME=/tmp
USER nobody
WORKDIR /work
ENTRYPOINT ["goodput"]
