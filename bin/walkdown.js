#!/usr/bin/env node
// Plain JavaScript on purpose: an older Node may start this file. It looks at the version and, where that is too old,
// starts the Node 24 that the package carries; from there on everything is TypeScript.
import { runOnCarriedNode } from '../tools/run.js'

runOnCarriedNode(new URL('../server/main.ts', import.meta.url), process.argv.slice(2))
