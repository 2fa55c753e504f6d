import { get, post } from '../../base/http.ts'
import { ref } from '../../base/schema.ts'
import { changePassword, judgeChange, showMe } from './actions.ts'
import { ChangePassword, Me } from './schema.ts'

export const routes = [
  get('/auth/me', {
    name: 'user.show_me',
    says: 'Who is calling, his places on sites with the permissions they give, and whose sign-in it is.',
    access: { signed_in: true },
    reply: ref(Me),
    handle: ({ ctx }) => showMe(ctx),
  }),
  post('/auth/change-password', {
    name: 'account.change_password',
    says: 'Changes the password of the built-in provider. Every other session ends, and a mail tells the person.',
    access: { signed_in: true },
    body: ChangePassword,
    reply: null,
    refuses: ['conflict', 'rate_limited'],
    before: ({ ctx, body, wire }) => judgeChange(ctx, body, wire.address),
    handle: ({ ctx, brought }) => changePassword(ctx, brought),
  }),
]
