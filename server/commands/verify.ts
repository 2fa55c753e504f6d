import { PLATFORM } from '../base/ids.ts'
import { type ChainReport, chains, verifyChain } from '../kernel/audit/door.ts'
import { type Command, inHouse, option } from './command.ts'

export const verifyCommand: Command = {
  name: 'verify',
  usage: 'verify [--site ID]',
  says: 'Recomputes every audit chain and says where one is broken.',
  details: 'Without --site all of them, the platform’s included. Ends with 1 when anything was altered, and repairs nothing.',
  async run(args, env) {
    return inHouse(env, async house => {
      const only = option(args, 'site')
      const sites = only === null ? await chains(house.database.db) : [only]
      let faults = 0
      for (const site_id of sites) {
        const report = await verifyChain(house.database.db, site_id)
        if (report.fault !== null) faults++
        console.log(line(report))
      }
      console.log(faults === 0 ? `All ${sites.length} chains hold.` : `${faults} of ${sites.length} chains are broken.`)
      return faults === 0 ? 0 : 1
    })
  },
}

const line = ({ site_id, entries, head, fault }: ChainReport) =>
  `${fault === null ? 'ok    ' : 'BROKEN'} ${site_id === PLATFORM ? 'platform'.padEnd(36) : site_id} ${String(entries).padStart(8)} entries  ${fault === null ? `head ${head?.seq ?? 0};${head?.hash ?? ''}` : `at seq ${fault.seq}: ${fault.detail}`}`
