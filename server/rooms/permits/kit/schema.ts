// What requests about a permit have in common.
import { id, object, optional } from '../../../base/schema.ts'

export const onSite = { site_id: optional(id('Site; must match the record’s')) }

export const MatchQuery = object(onSite)
