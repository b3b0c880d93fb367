# The two commands of the README in a container; nothing is done here that `make run` does not do.
# Not built by the tests: they read this file and hold its commands to the Makefile.
FROM debian:12-slim
RUN apt-get update && apt-get install -y --no-install-recommends make python3-venv && rm -rf /var/lib/apt/lists/*
WORKDIR /auditor
COPY . .
RUN make servers
ENV PATH=/auditor/.venv/bin:$PATH AUDITOR_DATA=/data
VOLUME /data
CMD ["auditor", "serve"]
