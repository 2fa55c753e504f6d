// The list of all rooms.
import type { WebRoom } from '../base/room.ts'
import { room as map } from '../rooms/map/map/room.tsx'
import { room as notifications } from '../rooms/messages/notifications/room.tsx'
import { room as rules } from '../rooms/messages/rules/room.tsx'
import { room as tasks } from '../rooms/messages/tasks/room.tsx'
import { room as audit } from '../rooms/operate/audit/room.tsx'
import { room as imports } from '../rooms/permits/import/room.tsx'
import { room as permits } from '../rooms/permits/permits/room.tsx'
import { room as wallet } from '../rooms/permits/wallet/room.tsx'
import { room as workflow } from '../rooms/permits/workflow/room.tsx'
import { room as people } from '../rooms/site/people/room.tsx'
import { room as settings } from '../rooms/site/settings/room.tsx'

/** Every room of the app, in the order of the navigation bar. */
export const rooms: readonly WebRoom[] = [permits, wallet, tasks, map, notifications, imports, people, settings, audit, workflow, rules]
