import { useNavigate, useRouter, useRouterState } from '@tanstack/react-router'
import type { ComponentProps, MouseEvent } from 'react'

/** A link inside the app: an address of `paths.ts`. Opened elsewhere (middle button, Ctrl) it is a plain link. */
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

/** Goes to an address of `paths.ts`. */
export function useGo(): (to: string, options?: { replace?: boolean }) => void {
  const router = useRouter()
  return (to, options) => (options?.replace === true ? router.history.replace(to) : router.history.push(to))
}

/** What the address says behind the question mark, and how to change it. Undefined takes a name away; the way back stays one step. */
export function usePlace(): [Record<string, string>, (change: Record<string, string | undefined>) => void] {
  const navigate = useNavigate()
  // Asked for as state: a page whose address changes behind the question mark alone is shown again.
  const said = useRouterState({ select: state => state.location.searchStr })
  const search = Object.fromEntries(new URLSearchParams(said))
  return [
    search,
    change => {
      const next: Record<string, string> = { ...search }
      for (const [name, value] of Object.entries(change)) {
        if (value === undefined || value === '') delete next[name]
        else next[name] = value
      }
      void navigate({ to: '.', search: next as never, replace: true, resetScroll: false }) // pages have no types of their own for it
    },
  ]
}
