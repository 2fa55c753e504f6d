import { type Command, CommandError, inHouse } from './command.ts'
import { dropGisViews, GIS_SCHEMA, GIS_VIEWS, makeGisViews } from './gis.ts'

export const gisViewsCommand: Command = {
  name: 'gis-views',
  usage: 'gis-views [--drop]',
  says: 'Makes views of the map for QGIS and other programs that read PostGIS.',
  details: `The views are in the schema ${GIS_SCHEMA}: ${GIS_VIEWS.join(', ')}. Run it again to make them again; --drop drops them. It needs your own
database server with PostGIS. A person who can read the database sees every site in them, whatever they can see in the app: docs/operating.md, “The map
in QGIS”, says how to give access.`,
  async run(args, env) {
    const drop = args.includes('--drop')
    if (args.some(arg => arg !== '--drop')) throw new CommandError('gis-views has only the option --drop.')
    return inHouse(env, async house => {
      const client = await house.database.pool.connect()
      try {
        if (drop) {
          const dropped = await dropGisViews(client)
          console.log(dropped === 0 ? 'There were no views.' : `Dropped ${dropped} views.`)
        } else {
          await makeGisViews(client)
          console.log(`Made ${GIS_VIEWS.length} views in the schema ${GIS_SCHEMA}: ${GIS_VIEWS.join(', ')}.`)
        }
        return 0
      } finally {
        client.release()
      }
    })
  },
}
