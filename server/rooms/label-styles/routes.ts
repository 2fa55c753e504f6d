import { get, put } from '../../base/http.ts'
import { ref } from '../../base/schema.ts'
import { setStyles, showStyles } from './actions.ts'
import { labelStyle } from './door.ts'
import { LabelStyles, NewLabelStyles, StylesQuery } from './schema.ts'

const path = '/sites/:site_id/label-styles/'

export const routes = [
  get(path, {
    name: 'label_style.show',
    says: 'How words look on the map and prints of the site, with what is hard to read and the fields that a label may show.',
    access: { needs: 'site_view' },
    query: StylesQuery,
    reply: ref(LabelStyles),
    handle: ({ ctx, site_id, query }) => showStyles(ctx, site_id, query),
  }),
  put(path, {
    name: 'label_style.set',
    says: 'Puts the whole document: what is left out is gone, or at its default. One that is equal to the present one changes nothing.',
    access: { needs: 'site_configure' },
    on: labelStyle,
    body: NewLabelStyles,
    of: LabelStyles,
    reply: ref(LabelStyles),
    handle: ({ ctx, thing, body }) => setStyles(ctx, thing, body),
  }),
]
