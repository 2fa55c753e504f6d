// The API document of this service: its routes under the rooms and groups that they belong to.
import { openApi } from './base/openapi.ts'
import { groups, routes } from './groups.ts'

/** Makes the document; its paths are relative to the URL of the installation. */
export const apiDocument = (version: string) =>
  openApi(routes, {
    version,
    server: '/api',
    groups: groups.map(({ title, rooms }) => ({
      title,
      tags: rooms.flatMap(({ name, area, says }) => {
        const own = rooms.flatMap(room => ((room.area ?? room.name) === name ? (room.routes ?? []) : []))
        return area !== undefined || own.length === 0 ? [] : [{ name, says, routes: own }]
      }),
    })),
  })
