import type { Ctx } from '../../../base/ctx.ts'
import { conflict, explain, invalid, invalidField, notFound, refuse } from '../../../base/errors.ts'
import { type Id, ids } from '../../../base/ids.ts'
import { flagsFor } from '../../../kernel/access/domain.ts'
import { canonical } from '../../../kernel/audit/door.ts'
import { documentFaults, documentFrom, REGISTRY, SHIPPED, type StyleDocument, warningsOf } from './domain.ts'
import { endStyles, insertStyles, type StyleRow, stylesOf } from './queries.ts'
import type { NewLabelStyles, StylesQuery } from './schema.ts'

const registry = Object.fromEntries(
  Object.entries(REGISTRY).map(([layer, fields]) => [layer, Object.entries(fields).map(([key, label]) => ({ key, label }))]),
)

function shown(ctx: Ctx, row: StyleRow): Record<string, unknown> {
  const { site_id, number, valid_from, valid_to, created_at, created_by, document } = row
  return {
    site_id,
    ...document,
    warnings: warningsOf(document),
    registry,
    valid_from,
    valid_to,
    permissions: flagsFor(ctx.actor, { edit: explain([ctx.actor.lacks('site_configure')]) }),
    version: number,
    created_at,
    created_by,
  }
}

/** Returns the active document, the one of an instant, or the one with this number. */
export async function showStyles(ctx: Ctx, site_id: Id, query: StylesQuery): Promise<Record<string, unknown>> {
  if (query.at !== undefined && query.version !== undefined)
    refuse(invalidField('version', 'can’t be given together with "at". Send only one of them.'))
  const row = await stylesOf(ctx.db, site_id, query.version === undefined ? { at: query.at ?? ctx.now } : { number: query.version })
  return row === null ? refuse(notFound()) : shown(ctx, row)
}

/** Replaces the active document. An identical document changes nothing. */
export async function setStyles(ctx: Ctx, present: StyleRow, body: NewLabelStyles): Promise<Record<string, unknown>> {
  const document = documentFrom(body)
  const faults = documentFaults(document)
  if (faults.length > 0) refuse(invalid(faults))
  if (canonical(document) === canonical(present.document)) return shown(ctx, present)
  const { site_id } = present
  const at = ctx.now > present.valid_from ? ctx.now : present.valid_from
  await endStyles(ctx.db, site_id, present.id, at)
  await insertStyles(ctx.db, { site_id, id: ids.next(), number: present.number + 1, valid_from: at, document })
  ctx.emit({
    kind: 'label_styles.changed',
    site_id,
    subject: { kind: 'label_style', id: present.id, label: 'Label styles' },
    payload: { version: present.number + 1, removed: goneFrom(present.document, document) },
  })
  ctx.redraw(site_id, 'annotations')
  const made = await stylesOf(ctx.db, site_id)
  return made === null ? refuse(notFound()) : shown(ctx, made)
}

/** Reverts a version while it is the newest: the document before it becomes a new version. */
export async function revertVersion(ctx: Ctx, present: StyleRow, id: Id): Promise<void> {
  if (present.id !== id)
    refuse(
      conflict(
        'changed_since',
        `Version ${present.number} is newer, and only the newest version can be reverted. Change the label styles instead.`,
        { version: present.number },
      ),
    )
  const before = await stylesOf(ctx.db, present.site_id, { number: present.number - 1 })
  if (before === null)
    return refuse(
      conflict(
        'shipped',
        'These are the first label styles of the site, so there is nothing to revert to. Change the label styles instead.',
      ),
    )
  await setStyles(ctx, present, before.document)
}

const goneFrom = (before: StyleDocument, after: StyleDocument): string[] =>
  before.styles.map(style => style.key).filter(key => !after.styles.some(style => style.key === key))

/** Gives a new site its styles: the standard ones, or those of the site that it copies. A site that already has styles keeps them. */
export async function seedStyles(ctx: Ctx, site_id: Id, from_site_id: Id | null = null): Promise<void> {
  if ((await stylesOf(ctx.db, site_id)) !== null) return
  const copied = from_site_id === null ? null : await stylesOf(ctx.db, from_site_id)
  await insertStyles(ctx.db, { site_id, id: ids.next(), number: 1, valid_from: ctx.now, document: copied?.document ?? SHIPPED })
}
