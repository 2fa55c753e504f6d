// Checks that each test and heading that docs/security/asvs.tsv cites as evidence exists, and that the page made of it is current. Needs no database, so that
// a change of a title is noticed at once.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { asvsPage, evidenceFaults } from './gen/asvs.ts'

const page = readFileSync(fileURLToPath(new URL('../docs/security/asvs.md', import.meta.url)), 'utf8')
const faults = [...evidenceFaults(), ...(page === asvsPage() ? [] : ['docs/security/asvs.md is stale. Run npm run gen.'])]
for (const fault of faults) console.error(fault)
process.exit(faults.length > 0 ? 1 : 0)
