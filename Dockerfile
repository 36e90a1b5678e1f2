# One image for the API, the workers and the commands; compose.yaml runs them.
#
# Node 24 is supported until April 2028. For a newer one: docker buildx imagetools inspect node:24-bookworm-slim
ARG NODE=node:24.18.0-bookworm-slim@sha256:6f7b03f7c2c8e2e784dcf9295400527b9b1270fd37b7e9a7285cf83b6951452d

FROM ${NODE} AS build
WORKDIR /srv/covermap
COPY package.json package-lock.json ./
COPY packages/coverage-files/package.json packages/coverage-files/
COPY packages/geometry/package.json packages/geometry/
COPY packages/propagation/package.json packages/propagation/
COPY packages/testing/package.json packages/testing/
RUN npm ci --omit=dev --no-audit --no-fund
COPY . .
RUN npm run build
# What only building needs: a third of it.
RUN cd node_modules && rm -r tsx esbuild @esbuild vite rolldown @rolldown lightningcss* maplibre-gl @maplibre swagger-ui-dist marked preact @fontsource-variable
# Papers read fonts in WOFF alone.
RUN find node_modules/@fontsource -type f ! -name '*-[46]00-normal.woff' ! -name package.json ! -name LICENSE -delete

FROM ${NODE}
ENV NODE_ENV=production HOST=0.0.0.0 DATA_DIR=/var/lib/covermap
# Backups need pg_dump of the database's version or later: Debian 12 has 15, as compose.yaml.
RUN apt-get update && apt-get install --yes --no-install-recommends postgresql-client && rm -r /var/lib/apt/lists/*
WORKDIR /srv/covermap
# Owned by root: the service cannot change its own program.
COPY --from=build /srv/covermap ./
RUN install --directory --owner=node --group=node --mode=700 /var/lib/covermap
USER node
# Reading a file may take gigabytes of /tmp, which are not to be memory.
VOLUME ["/var/lib/covermap", "/tmp"]
EXPOSE 3000
# Of the API. Workers show theirs on METRICS_PORT: compose.yaml.
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:3000/readyz').then(({ ok }) => process.exit(ok ? 0 : 1))"]
CMD ["node", "commands/main.mjs", "api"]
