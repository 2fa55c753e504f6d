import { useNavigate, useRouter, useRouterState } from '@tanstack/react-router'
import type { ComponentProps, MouseEvent } from 'react'

/** A link inside the app to a URL of `paths.ts`. Opened in a new tab (middle button, Ctrl), it is a plain link. */
export function Go({ to, onClick, ...rest }: Omit<ComponentProps<'a'>, 'href'> & { to: string }) {
  const router = useRouter()
  return (
    <a
      href={to}
      {...rest}
      onClick={(event: MouseEvent<HTMLAnchorElement>) => {
        onClick?.(event)
        if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
        event.preventDefault()
        router.history.push(to)
      }}
    />
  )
}

/** Returns a function that goes to a URL of `paths.ts`. */
export function useGo(): (to: string, options?: { replace?: boolean }) => void {
  const router = useRouter()
  return (to, options) => (options?.replace === true ? router.history.replace(to) : router.history.push(to))
}

/** Returns the query parameters of the URL, and a function to change them. Undefined removes a parameter; the change adds no step to the history. */
export function usePlace(): [Record<string, string>, (change: Record<string, string | undefined>) => void] {
  const navigate = useNavigate()
  const router = useRouter()
  // Read as state, so that a page is drawn again when only the parameters of its URL change.
  const said = useRouterState({ select: state => state.location.searchStr })
  const search = Object.fromEntries(new URLSearchParams(said))
  return [
    search,
    change => {
      // The URL may have changed since this was drawn: what is typed gets there a moment later than a tap.
      const next: Record<string, string> = Object.fromEntries(new URLSearchParams(router.latestLocation.searchStr))
      for (const [name, value] of Object.entries(change)) {
        if (value === undefined || value === '') delete next[name]
        else next[name] = value
      }
      void navigate({ to: '.', search: next as never, replace: true, resetScroll: false }) // pages don't have types for their parameters
    },
  ]
}
