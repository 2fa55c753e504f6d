import { openHouse } from '../app.ts'
import { migrate, migrationState } from '../base/migrate.ts'
import { readSettings } from '../base/settings.ts'
import { type Command, openEngine, upgrade } from './command.ts'

export const migrateCommand: Command = {
  name: 'migrate',
  usage: 'migrate [--check]',
  says: 'Updates the database to this version.',
  details: '--check changes nothing; the exit code is 1 if migrations are pending.',
  async run(args, env) {
    const settings = readSettings({ ...env, LOG_LEVEL: 'error' })
    const { engine, data_dir, database } = await openEngine(settings, false, line => console.error(line))
    const house = await openHouse(settings, engine, { data_dir, pool: 2, ...(database === undefined ? {} : { database }) })
    try {
      if (args.includes('--check')) {
        const { applied, waiting, unknown } = await migrationState(house.database.pool)
        for (const name of waiting) console.log(`pending: ${name}`)
        for (const name of unknown) console.log(`unknown to this version: ${name}`)
        console.log(`${applied.length} applied, ${waiting.length} pending.`)
        return waiting.length > 0 ? 1 : 0
      }
      await upgrade(house, engine, database, line => console.log(line))
      const left = await migrate(engine, database === undefined ? {} : { database })
      console.log(left.length === 0 ? 'The database is up to date.' : `Applied ${left.length} more.`)
      return 0
    } finally {
      await house.database.close()
      await engine.stop()
    }
  },
}
