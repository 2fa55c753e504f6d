#!/usr/bin/env node
// Plain JavaScript on purpose: this file may be started by an older Node. It checks the version and, when that is too old,
// starts the Node 24 that is part of the package; everything after that is TypeScript.
import { runOnCarriedNode } from '../tools/run.js'

runOnCarriedNode(new URL('../tools/start.ts', import.meta.url), process.argv.slice(2))
