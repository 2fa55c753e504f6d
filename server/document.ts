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
      tags: rooms.flatMap(room => (room.routes === undefined ? [] : [{ name: room.name, says: room.says, routes: room.routes }])),
    })),
  })
