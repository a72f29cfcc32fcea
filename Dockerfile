FROM node:22-bookworm-slim
WORKDIR /app
COPY . .
RUN npm run build
ENV WEB_DIST=/app/apps/web/dist HOST=0.0.0.0
USER node
CMD ["node", "apps/api/dist/main.js"]
