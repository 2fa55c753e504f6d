// Every room of the service, by group (docs/HOUSE.md). A new room is one line here; `npm run new-room` adds it.
import { plugPush } from './kernel/notices/door.ts'
import { hasDevice, pushEnabled, pushTo } from './kernel/push/door.ts'
import { type Group, plugRooms, type Room } from './kernel/sockets/door.ts'
import { room as auth } from './rooms/account/auth/room.ts'
import { room as notificationPrefs } from './rooms/account/notification-prefs/room.ts'
import { room as push } from './rooms/account/push/room.ts'
import { room as users } from './rooms/account/users/room.ts'
import { room as clashConsequences } from './rooms/conflicts/clash-consequences/room.ts'
import { room as clashPreviews } from './rooms/conflicts/clash-previews/room.ts'
import { room as clashRules } from './rooms/conflicts/clash-rules/room.ts'
import { room as clashes } from './rooms/conflicts/clashes/room.ts'
import { room as comparisons } from './rooms/conflicts/comparisons/room.ts'
import { room as ruleProfiles } from './rooms/conflicts/rule-profiles/room.ts'
import { room as blockers } from './rooms/flow/blockers/room.ts'
import { room as deliveries } from './rooms/logistics/deliveries/room.ts'
import { room as activeAreas } from './rooms/map/active-areas/room.ts'
import { room as analysis } from './rooms/map/analysis/room.ts'
import { room as copies } from './rooms/map/copies/room.ts'
import { room as exports } from './rooms/map/exports/room.ts'
import { room as floorPlans } from './rooms/map/floor-plans/room.ts'
import { room as geometadata } from './rooms/map/geometadata/room.ts'
import { room as geometry } from './rooms/map/geometry/room.ts'
import { room as plant } from './rooms/map/plant/room.ts'
import { room as pointsOfInterest } from './rooms/map/points-of-interest/room.ts'
import { room as referenceFeatures } from './rooms/map/reference-features/room.ts'
import { room as siteMaps } from './rooms/map/site-maps/room.ts'
import { room as textLabels } from './rooms/map/text-labels/room.ts'
import { room as tiles } from './rooms/map/tiles/room.ts'
import { room as tokenDayPhotos } from './rooms/map/token-day-photos/room.ts'
import { room as workers } from './rooms/map/workers/room.ts'
import { room as alerts } from './rooms/messages/alerts/room.ts'
import { room as notificationRules } from './rooms/messages/notification-rules/room.ts'
import { room as notifications } from './rooms/messages/notifications/room.ts'
import { room as tasks } from './rooms/messages/tasks/room.ts'
import { room as websocket } from './rooms/messages/websocket/room.ts'
import { room as admin } from './rooms/operate/admin/room.ts'
import { room as audit } from './rooms/operate/audit/room.ts'
import { room as diag } from './rooms/operate/diag/room.ts'
import { room as health } from './rooms/operate/health/room.ts'
import { room as permitAppointments } from './rooms/permits/permit-appointments/room.ts'
import { room as permitConfig } from './rooms/permits/permit-config/room.ts'
import { room as permitConflicts } from './rooms/permits/permit-conflicts/room.ts'
import { room as permitDocuments } from './rooms/permits/permit-documents/room.ts'
import { room as permitEntities } from './rooms/permits/permit-entities/room.ts'
import { room as permitExtensions } from './rooms/permits/permit-extensions/room.ts'
import { room as permitImport } from './rooms/permits/permit-import/room.ts'
import { room as permitLists } from './rooms/permits/permit-lists/room.ts'
import { room as permitMessages } from './rooms/permits/permit-messages/room.ts'
import { room as permitSignatures } from './rooms/permits/permit-signatures/room.ts'
import { room as permitStops } from './rooms/permits/permit-stops/room.ts'
import { room as permitTypes } from './rooms/permits/permit-types/room.ts'
import { room as permitWorkflow } from './rooms/permits/permit-workflow/room.ts'
import { room as permits } from './rooms/permits/permits/room.ts'
import { room as contractors } from './rooms/site/contractors/room.ts'
import { room as invitations } from './rooms/site/invitations/room.ts'
import { room as labelStyles } from './rooms/site/label-styles/room.ts'
import { room as memberships } from './rooms/site/memberships/room.ts'
import { room as shifts } from './rooms/site/shifts/room.ts'
import { room as sites } from './rooms/site/sites/room.ts'
import { room as smartGroups } from './rooms/site/smart-groups/room.ts'
import { room as weather } from './rooms/site/weather/room.ts'

/** The groups, in the order in which the API reference shows them. */
export const groups: readonly Group[] = [
  { name: 'account', title: 'Account', rooms: [auth, users, notificationPrefs, push] },
  { name: 'site', title: 'Site', rooms: [sites, memberships, invitations, contractors, shifts, weather, labelStyles, smartGroups] },
  {
    name: 'permits',
    title: 'Permits',
    rooms: [
      permitTypes,
      permitAppointments,
      permitConfig,
      permitConflicts,
      permitWorkflow,
      permitSignatures,
      permitMessages,
      permitLists,
      permits,
      permitDocuments,
      permitExtensions,
      permitStops,
      permitEntities,
      permitImport,
    ],
  },
  { name: 'messages', title: 'Messages', rooms: [tasks, notifications, notificationRules, alerts, websocket] },
  {
    name: 'map',
    title: 'Map',
    rooms: [
      referenceFeatures,
      siteMaps,
      floorPlans,
      geometadata,
      pointsOfInterest,
      textLabels,
      workers,
      plant,
      activeAreas,
      copies,
      analysis,
      tokenDayPhotos,
      geometry,
      tiles,
      exports,
    ],
  },
  { name: 'conflicts', title: 'Conflicts', rooms: [clashRules, ruleProfiles, clashConsequences, comparisons, clashes, clashPreviews] },
  { name: 'flow', title: 'Flow of work', rooms: [blockers] },
  { name: 'logistics', title: 'Logistics', rooms: [deliveries] },
  { name: 'operate', title: 'Operation', rooms: [audit, admin, diag, health] },
]

/** Every room of the service. */
export const rooms: readonly Room[] = groups.flatMap(group => group.rooms)

plugRooms(rooms)
plugPush({ enabled: pushEnabled, hasDevice, pushTo })

/** Every endpoint of the service. */
export const routes = rooms.flatMap(room => room.routes ?? [])
