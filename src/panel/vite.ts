// Builds the panel into the folder that is named on the command line. Run by build.ts.

import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { build } from 'vite';

await build({
  configFile: false,
  envDir: false,
  root: fileURLToPath(new URL('../../web/panel', import.meta.url)),
  base: '/panel/',
  mode: 'production',
  logLevel: 'silent',
  plugins: [react()],
  build: {
    outDir: process.argv[2] ?? '',
    emptyOutDir: true,
    target: 'es2023',
    sourcemap: false,
    reportCompressedSize: false,
    // Files, never data URLs: the content security policy stays simple, and caching works.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
});
