// The API document of this service: its routes, and a description of each group.

import type { Route } from './base/http.ts'
import { openApi } from './base/openapi.ts'

/** Descriptions of the groups of endpoints, by the first part of their paths. */
export const TAGS: Readonly<Record<string, string>> = {
  admin: 'Running the installation: job runs, queues, bounced emails.',
  audit: 'The audit log: what happened to a record or on a site, and how it is undone.',
  auth: 'The signed-in person and their password.',
  contractors: 'Contractors of a site, their logos, and which contractors oversee others.',
  diag: 'Settings for the app, and reports from it about faults and speed.',
  health: 'Whether the service is alive, ready and well.',
  'invite-links': 'Invitations that anyone with the link can use.',
  invites: 'Invitations by email, and accepting an invitation.',
  memberships: 'People on a site: requests to join, roles, and leaving.',
  'notification-prefs': 'Which notifications a person gets, how and when.',
  'notification-rules': 'Who is notified of what on a site, and in which words.',
  notifications: 'The inbox of a person.',
  permits: 'Permits to work: drafts, reviews, signatures, close-out, types, appointments, workflow, documents and imports.',
  push: 'Devices that get push notifications.',
  'reference-features': 'Buildings, levels, zones and routes on the map of a site.',
  shifts: 'Working hours of a site and of its contractors.',
  sites: 'Sites: their settings, boundary, members, calendar and label styles.',
  'smart-groups': 'Saved conditions that select records.',
  tasks: 'What waits for a person.',
  users: 'People who can be chosen on a site.',
  ws: 'Live updates over a WebSocket.',
}

/** Makes the document; paths are relative to the URL of the installation. */
export const apiDocument = (routes: readonly Route[], version: string) => openApi(routes, { version, server: '/api', tags: TAGS })
