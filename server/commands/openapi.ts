import { apiDocument } from '../document.ts'
import type { Command } from './command.ts'

export const openapiCommand: Command = {
  name: 'openapi',
  usage: 'openapi',
  says: 'Prints the API document (OpenAPI 3.1); needs no database.',
  async run() {
    console.log(JSON.stringify(apiDocument('0.1.0'), null, 2))
    return 0
  },
}
