/** A picture that says nothing by itself: beside it is a text. @param path one of `icons` */
export function Icon({ path, size = 20 }: { path: string; size?: number }) {
  return (
    <svg
      viewBox="0 0 24 24"
      width={size}
      height={size}
      fill="none"
      stroke="currentColor"
      stroke-width="1.75"
      stroke-linecap="round"
      stroke-linejoin="round"
      aria-hidden="true"
      class="icon"
    >
      <path d={path} />
    </svg>
  );
}
