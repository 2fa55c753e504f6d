// Builds what a start runs, the app and the service, at the same time. `--if-needed`: only what has changed since.
await Promise.all([import('./build-web.ts'), import('./build-server.ts')])
