// How a room is connected to the service: its manifest is data, and only this file passes the parts of all rooms to the kernels.
import type { Route } from '../../base/http.ts'
import type { Holder } from '../access/domain.ts'
import { plugPermissions } from '../access/door.ts'
import { type ChangeSource, plugChanges } from '../changes/door.ts'
import { type CoverageKeeper, plugCoverage, type TokenKind } from '../covers/door.ts'
import { type Consumer, type EventKind, plugConsumers, plugEvents } from '../events/door.ts'
import { evidence } from '../evidence/door.ts'
import { type ExportLayer, plugExports } from '../exports/door.ts'
import { type GeometryPlugs, plugGeometry } from '../geometry/door.ts'
import type { JobKind, Schedule } from '../jobs/door.ts'
import { plugJobs } from '../jobs/door.ts'
import { type LinkKind, plugLinks } from '../links/door.ts'
import { plugWaits, type Waits } from '../live/door.ts'
import { type AddressHearer, type MailKind, plugMail, plugReports, type ReportHearer } from '../mail/door.ts'
import { type NoticePlugs, notifier, plugNotices } from '../notices/door.ts'
import { type PaperKind, plugPapers } from '../papers/door.ts'
import { type PlaceReader, plugPlaces } from '../placed/door.ts'
import {
  type ConditionUse,
  type GroupsOfRules,
  type Members,
  plugGroups,
  plugMembers,
  plugSubjects,
  type Reference,
  type Subject,
} from '../predicates/door.ts'
import { type Kind, plugKinds, plugUses, type Use } from '../records/door.ts'
import { plugSite, type SitePlugs } from '../site/door.ts'
import {
  type ActFlags,
  type ComingAndGoing,
  type Duties,
  type PendingOn,
  plugActs,
  plugComings,
  plugDuties,
  plugPending,
  plugTasks,
  type TaskKind,
} from '../tasks/door.ts'

/** A room's manifest. */
export type Room = {
  /** Name of its folder. */
  name: string
  /** The room whose area in the API its endpoints and events belong to, if it isn't its own. */
  area?: string
  /** What it contains; for the API reference, what its endpoints do. */
  says: string
  routes?: readonly Route[]
  kinds?: readonly Kind[]
  permissions?: Record<string, Holder>
  /**
   * What the room has for sites: seeds, retention periods, settings, live permits, counts, data that depends on wall-clock time, records outside the
   * boundary, and records without a place on the map.
   */
  site?: Partial<SitePlugs>
  jobs?: readonly JobKind[]
  schedules?: readonly Schedule[]
  events?: readonly EventKind[]
  /** The consumers of its events. */
  consumers?: readonly Consumer[]
  /** Its notifications and the rules that send them; who can see its records, and who can decide their next gate. */
  notices?: Partial<NoticePlugs>
  tasks?: readonly TaskKind[]
  mails?: readonly MailKind[]
  /** Subjects of conditions; a function if they depend on what other rooms register. */
  subjects?: readonly Subject[] | (() => readonly Subject[])
  /** What ids and codes in conditions refer to. */
  references?: readonly Reference[]
  /** Its records, as subjects of conditions. */
  members?: readonly Members[]
  /** The smart groups of a site that rules can refer to. */
  groups_of_rules?: GroupsOfRules
  /** How it uses conditions that another room stores. */
  condition_uses?: readonly ConditionUse[]
  /** Documents of its records that are printed and stored. */
  papers?: readonly PaperKind[]
  /** Reads places in bodies: the room that describes the ground. */
  places?: PlaceReader
  /** Kinds of things on the map that permits can cover. */
  tokens?: readonly TokenKind[]
  /** Keeps the links between permits and those things. */
  coverage?: CoverageKeeper
  /** What can be cut, what can cut, what others can overlap, and how an outline keeps its holes. */
  geometry?: GeometryPlugs
  /** When what it has on a site changes, for the time slider. */
  changes?: readonly ChangeSource[]
  /** Its layers of the map, for files for other programs. */
  exports?: readonly ExportLayer[]
  /** Called for each report on an email. */
  reports?: readonly ReportHearer[]
  /** Called when email to a person bounces, or reaches them again. */
  addresses?: readonly AddressHearer[]
  /** Tokens that replace a sign-in. */
  links?: readonly LinkKind[]
  /** How it uses records of other rooms. */
  uses?: readonly Use[]
  /** Say whether the caller can do what a task on the room's records asks for. */
  acts?: readonly ActFlags[]
  /** What is waiting for one person in this room, in addition to tasks. */
  pending?: readonly PendingOn[]
  /** What people are responsible for in this room. */
  duties?: readonly Duties[]
  /** What can be waiting for people, by name: open apps are updated when the count changes. */
  waits?: Waits
  /** Called when a person joins or leaves a site. */
  comings?: readonly ComingAndGoing[]
}

/** Rooms that belong together: a folder in server/rooms and web/rooms, an entry of the navigation, a group of the API reference. */
export type Group = { name: string; title: string; rooms: readonly Room[] }

/** Declares a room; nothing is registered yet. */
export const defineRoom = (room: Room): Room => room

/** Registers all rooms. Called once, at startup, by app.ts. */
export function plugRooms(rooms: readonly Room[]): void {
  plugPermissions(rooms.flatMap(room => Object.entries(room.permissions ?? {})))
  plugKinds([evidence, ...rooms.flatMap(room => room.kinds ?? [])])
  plugUses(rooms.flatMap(room => room.uses ?? []))
  plugWaits(rooms.flatMap(room => Object.entries(room.waits ?? {})))
  plugDuties(rooms.flatMap(room => room.duties ?? []))
  plugComings(rooms.flatMap(room => room.comings ?? []))
  plugActs(rooms.flatMap(room => room.acts ?? []))
  plugPending(rooms.flatMap(room => room.pending ?? []))
  plugEvents(rooms.flatMap(room => (room.events ?? []).map(event => ({ ...event, area: room.area ?? room.name }))))
  plugConsumers([notifier(), ...rooms.flatMap(room => room.consumers ?? [])])
  plugTasks(rooms.flatMap(room => room.tasks ?? []))
  plugMail(rooms.flatMap(room => room.mails ?? []))
  plugPapers(rooms.flatMap(room => room.papers ?? []))
  plugPlaces(rooms.flatMap(room => room.places ?? []))
  plugCoverage(
    rooms.flatMap(room => room.coverage ?? []),
    rooms.flatMap(room => room.tokens ?? []),
  )
  plugChanges(rooms.flatMap(room => room.changes ?? []))
  plugExports(rooms.flatMap(room => room.exports ?? []))
  plugGeometry(rooms.flatMap(room => room.geometry ?? []))
  plugReports(
    rooms.flatMap(room => room.reports ?? []),
    rooms.flatMap(room => room.addresses ?? []),
  )
  plugLinks(rooms.flatMap(room => room.links ?? []))
  plugJobs(
    rooms.flatMap(room => room.jobs ?? []),
    rooms.flatMap(room => room.schedules ?? []),
  )
  plugSubjects(
    rooms.flatMap(room => (typeof room.subjects === 'function' ? room.subjects() : (room.subjects ?? []))),
    rooms.flatMap(room => room.references ?? []),
  )
  plugMembers(
    rooms.flatMap(room => room.members ?? []),
    rooms.flatMap(room => room.condition_uses ?? []),
  )
  plugGroups(rooms.flatMap(room => room.groups_of_rules ?? []))
  // The conditions of rules are checked when they are registered, so the subjects of conditions come first.
  plugNotices({
    kinds: rooms.flatMap(room => room.notices?.kinds ?? []),
    rules: rooms.flatMap(room => room.notices?.rules ?? []),
    sights: rooms.flatMap(room => room.notices?.sights ?? []),
    gates: rooms.flatMap(room => room.notices?.gates ?? []),
  })
  plugSite({
    seeds: rooms.flatMap(room => room.site?.seeds ?? []),
    holds: rooms.flatMap(room => room.site?.holds ?? []),
    settings: rooms.flatMap(room => room.site?.settings ?? []),
    liveness: rooms.flatMap(room => room.site?.liveness ?? []),
    counts: rooms.flatMap(room => room.site?.counts ?? []),
    rederive: rooms.flatMap(room => room.site?.rederive ?? []),
    flags: rooms.flatMap(room => room.site?.flags ?? []),
    outside: rooms.flatMap(room => room.site?.outside ?? []),
    unplaced: rooms.flatMap(room => room.site?.unplaced ?? []),
    pins: rooms.flatMap(room => room.site?.pins ?? []),
  })
}
