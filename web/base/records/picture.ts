import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { storeGet } from '../store.ts'
import { keptPicture } from './pictures-kept.ts'

/** Pictures that are no longer on screen leave the memory of a phone after five minutes; other queries stay much longer. */
const KEPT_MS = 300_000

/** A picture to show: its address on the service, or the key of a file that is still on this device. */
export type PictureSource = { path: string } | { waiting: string }

/**
 * Returns a URL for a picture, which the app fetches with the person's token: null until it is there. `failed` is true if it couldn't be loaded. What is at
 * a path never changes, so it is fetched once.
 */
export function usePicture(source: PictureSource | null): { url: string | null; failed: boolean } {
  const asked = source === null ? '' : 'path' in source ? source.path.replace(/^\/api/, '') : source.waiting
  const { data, isError } = useQuery({
    queryKey: ['picture', asked],
    queryFn: async () => {
      if (source !== null && 'path' in source) return keptPicture(asked)
      return (await storeGet('files', asked)) ?? Promise.reject(new Error('The file is no longer on this device.'))
    },
    enabled: source !== null,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: KEPT_MS,
    retry: 1,
  })
  return { url: useUrl(data), failed: isError }
}

/** Returns a URL for a picture that was fetched; null until it is there. */
export function useUrl(data: Blob | undefined): string | null {
  const [url, setUrl] = useState<string | null>(null)
  useEffect(() => {
    setUrl(null)
    if (data === undefined) return
    const made = URL.createObjectURL(data)
    setUrl(made)
    return () => URL.revokeObjectURL(made)
  }, [data])
  return url
}
