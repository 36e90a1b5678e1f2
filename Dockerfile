# One image for the API, the workers and the commands; compose.yaml runs them.
FROM node:20-bookworm-slim AS build
WORKDIR /srv/covermap
COPY package.json package-lock.json ./
RUN npm ci --omit=dev --no-audit --no-fund
COPY . .
RUN npm run build

FROM node:20-bookworm-slim
ENV NODE_ENV=production HOST=0.0.0.0 DATA_DIR=/var/lib/covermap
WORKDIR /srv/covermap
# Owned by root: the service cannot change its own program.
COPY --from=build /srv/covermap ./
RUN install --directory --owner=node --group=node --mode=700 /var/lib/covermap
USER node
VOLUME /var/lib/covermap
EXPOSE 3000
CMD ["node", "commands/main.mjs", "api"]
