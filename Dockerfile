# One image for the API, the workers and the commands; compose.yaml runs them.
FROM node:20-bookworm-slim AS build
WORKDIR /srv/covermap
COPY package.json package-lock.json ./
RUN npm ci --omit=dev --no-audit --no-fund
COPY . .
RUN npm run build
# What only building the pages needs: a third of it. The commands are bundled.
RUN cd node_modules && rm -r vite rolldown @rolldown lightningcss* maplibre-gl @maplibre swagger-ui-dist marked preact @fontsource-variable

FROM node:20-bookworm-slim
ENV NODE_ENV=production HOST=0.0.0.0 DATA_DIR=/var/lib/covermap
WORKDIR /srv/covermap
# Owned by root: the service cannot change its own program.
COPY --from=build /srv/covermap ./
RUN install --directory --owner=node --group=node --mode=700 /var/lib/covermap
USER node
VOLUME /var/lib/covermap
EXPOSE 3000
# Of the API. Workers show theirs on METRICS_PORT: compose.yaml.
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:3000/readyz').then(({ ok }) => process.exit(ok ? 0 : 1))"]
CMD ["node", "commands/main.mjs", "api"]
