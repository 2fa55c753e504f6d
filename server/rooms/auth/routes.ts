import { get } from '../../base/http.ts'
import { ref } from '../../base/schema.ts'
import { showMe } from './actions.ts'
import { Me } from './schema.ts'

export const routes = [
  get('/auth/me', {
    name: 'user.show_me',
    says: 'Who is calling, his places on sites with the permissions they give, and whose sign-in it is.',
    access: { signed_in: true },
    reply: ref(Me),
    handle: ({ ctx }) => showMe(ctx),
  }),
]
