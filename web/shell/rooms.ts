// Every room of the app: a new one is one line here, and one in words/en.ts for its texts. Everything else is collected from the manifests.
import { GROUPS, type Group, type WebRoom } from '../base/room.ts'
import { SHARED, staleOf } from '../base/stale.ts'
import { room as join } from '../rooms/account/join/room.ts'
import { room as clashRules } from '../rooms/conflicts/clash-rules/room.ts'
import { room as clashes } from '../rooms/conflicts/clashes/room.ts'
import { room as map } from '../rooms/map/map/room.ts'
import { room as alerts } from '../rooms/messages/alerts/room.ts'
import { room as notifications } from '../rooms/messages/notifications/room.ts'
import { room as rules } from '../rooms/messages/rules/room.ts'
import { room as tasks } from '../rooms/messages/tasks/room.ts'
import { room as audit } from '../rooms/operate/audit/room.ts'
import { room as imports } from '../rooms/permits/import/room.ts'
import { room as permits } from '../rooms/permits/permits/room.ts'
import { room as stops } from '../rooms/permits/stops/room.ts'
import { room as wallet } from '../rooms/permits/wallet/room.ts'
import { room as workflow } from '../rooms/permits/workflow/room.ts'
import { room as people } from '../rooms/site/people/room.ts'
import { room as settings } from '../rooms/site/settings/room.ts'
import { room as smartGroups } from '../rooms/site/smart-groups/room.ts'
import { room as today } from '../rooms/site/today/room.ts'

/** Every room of the app; within a group, in the order of its tabs. */
export const rooms: readonly WebRoom[] = [
  today,
  tasks,
  alerts,
  wallet,
  notifications,
  permits,
  stops,
  clashes,
  imports,
  map,
  people,
  settings,
  audit,
  workflow,
  rules,
  clashRules,
  smartGroups,
  join,
]

/** Every page of a site. */
export const pages = rooms.flatMap(room => room.pages)
/** Every page outside of a site. */
export const outside = rooms.flatMap(room => room.outside ?? [])
/** Which queries an event makes stale. */
export const stale = staleOf(
  [SHARED, ...rooms.map(room => room.stale)],
  rooms.map(room => room.singles ?? {}),
)
/** The rooms of each group, in the order of the navigation. */
export const groups: readonly { name: Group; rooms: readonly WebRoom[] }[] = GROUPS.map(name => ({
  name,
  rooms: rooms.filter(room => room.group === name),
}))
