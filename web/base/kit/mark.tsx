/** The logo of the product: a permit card that was walked down. */
export function Mark({ size = 32 }: { size?: number }) {
  return <img src="/icons/mark.svg" width={size} height={size} alt="" />
}
