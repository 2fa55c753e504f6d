import { readFileSync } from 'node:fs'
import openapiTS, { astToString } from 'openapi-typescript'
import { apiDocument } from '../../server/document.ts'
import type { Generated } from './all.ts'
import { type Document, limitsFile } from './limits.ts'

/** Returns the API document to be checked in, and its types for TypeScript clients. */
export async function contractFiles(): Promise<Generated[]> {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string } // our own file
  const text = `${JSON.stringify(apiDocument(version), null, 2)}\n`
  const types = astToString(await openapiTS(JSON.parse(text), { alphabetize: true }))
  return [
    { path: 'contract/openapi.json', content: text },
    limitsFile(JSON.parse(text) as Document), // the document of our own routes
    { path: 'contract/api.gen.ts', content: `// Generated from contract/openapi.json by \`npm run gen\`. Do not edit.\n${types}` },
  ]
}
