import { createRootRoute, createRoute, createRouter, lazyRouteComponent, Outlet, useParams } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useGo } from '../base/go.tsx'
import { Toasts } from '../base/kit/note.tsx'
import { MissingBar, pageOr } from '../base/part.tsx'
import { paths } from '../base/paths.ts'
import { Frame } from './frame.tsx'
import { Broken, Lost } from './lost.tsx'
import { outside, pages } from './rooms.ts'

const root = createRootRoute({
  component: () => (
    <>
      <MissingBar />
      <Outlet />
      <Toasts />
    </>
  ),
  notFoundComponent: Lost,
})

const site = createRoute({
  getParentRoute: () => root,
  path: '/sites/$siteId',
  component: function SiteFrame() {
    const { siteId } = useParams({ strict: false })
    return <Frame key={siteId} site_id={siteId ?? ''} />
  },
})

/** The URL of a site without a page, as used in emails. */
const start = createRoute({
  getParentRoute: () => site,
  path: '/',
  component: function SiteStart() {
    const { siteId } = useParams({ strict: false })
    const go = useGo()
    // biome-ignore lint/correctness/useExhaustiveDependencies: once for each site.
    useEffect(() => go(paths.today(siteId ?? ''), { replace: true }), [siteId])
    return null
  },
})

const tree = root.addChildren([
  createRoute({
    getParentRoute: () => root,
    path: '/',
    component: lazyRouteComponent(pageOr(() => import('./sites.tsx').then(({ Sites }) => ({ default: Sites })))),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/signed-in',
    component: lazyRouteComponent(pageOr(() => import('./signed-in.tsx').then(({ SignedIn }) => ({ default: SignedIn })))),
  }),
  ...outside.map(({ path, load }) => createRoute({ getParentRoute: () => root, path, component: lazyRouteComponent(pageOr(load)) })),
  site.addChildren([
    start,
    ...pages.map(({ path, load }) => createRoute({ getParentRoute: () => site, path, component: lazyRouteComponent(pageOr(load)) })),
  ]),
])

/** The app's routes. The part after `?` is plain text, as in the links in emails. */
export const router = createRouter({
  routeTree: tree,
  defaultPreload: false,
  defaultErrorComponent: Broken,
  scrollRestoration: true,
  parseSearch: search => Object.fromEntries(new URLSearchParams(search)),
  stringifySearch: search => {
    const said = new URLSearchParams(
      Object.entries(search).filter((pair): pair is [string, string] => typeof pair[1] === 'string'),
    ).toString()
    return said === '' ? '' : `?${said}`
  },
})
