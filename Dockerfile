# The server with what it needs to run: two stages, so that compilers and tests stay behind.
FROM node:24-bookworm-slim AS build
WORKDIR /opt/gatehouse
COPY package.json package-lock.json ./
RUN npm ci
COPY . .
RUN npm run -s build && npm prune --omit=dev

FROM node:24-bookworm-slim
WORKDIR /opt/gatehouse
COPY --from=build --chown=root:root /opt/gatehouse /opt/gatehouse
# A folder of the unprivileged user that the image brings; a volume takes its owner from it.
RUN install -d -o node -g node -m 700 /var/lib/gatehouse
USER node
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8080 DATA_DIR=/var/lib/gatehouse
VOLUME /var/lib/gatehouse
EXPOSE 8080
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:8080/healthz').then((a) => process.exit(a.ok ? 0 : 1), () => process.exit(1))"]
STOPSIGNAL SIGTERM
CMD ["node", "server/gatehouse.mjs", "serve"]
