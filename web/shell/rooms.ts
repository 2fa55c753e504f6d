// The list of all rooms.
import type { WebRoom } from '../base/room.ts'
import { room as audit } from '../rooms/audit/room.tsx'
import { room as imports } from '../rooms/import/room.tsx'
import { room as map } from '../rooms/map/room.tsx'
import { room as notifications } from '../rooms/notifications/room.tsx'
import { room as people } from '../rooms/people/room.tsx'
import { room as permits } from '../rooms/permits/room.tsx'
import { room as rules } from '../rooms/rules/room.tsx'
import { room as settings } from '../rooms/settings/room.tsx'
import { room as tasks } from '../rooms/tasks/room.tsx'
import { room as wallet } from '../rooms/wallet/room.tsx'
import { room as workflow } from '../rooms/workflow/room.tsx'

/** Every room of the app, in the order of the navigation bar. */
export const rooms: readonly WebRoom[] = [permits, wallet, tasks, map, notifications, imports, people, settings, audit, workflow, rules]
