import { get, put } from '../../../base/http.ts'
import { ref } from '../../../base/schema.ts'
import { setStyles, showStyles } from './actions.ts'
import { labelStyle } from './door.ts'
import { LabelStyles, NewLabelStyles, StylesQuery } from './schema.ts'

const path = '/sites/:site_id/label-styles/'

export const routes = [
  get(path, {
    name: 'label_style.show',
    summary: 'Show label styles',
    says: 'Returns the label styles of the site’s map, the fields that a label can show, and warnings about legibility.',
    access: { needs: 'site_view' },
    query: StylesQuery,
    reply: ref(LabelStyles),
    handle: ({ ctx, site_id, query }) => showStyles(ctx, site_id, query),
  }),
  put(path, {
    name: 'label_style.set',
    summary: 'Replace label styles',
    says: 'Replaces all label styles. Styles that are left out are removed, and layers that are left out are reset. If nothing differs from the current styles, nothing is changed.',
    access: { needs: 'site_configure' },
    on: labelStyle,
    body: NewLabelStyles,
    of: LabelStyles,
    reply: ref(LabelStyles),
    handle: ({ ctx, thing, body }) => setStyles(ctx, thing, body),
  }),
]
