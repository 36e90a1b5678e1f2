import { icons } from '../icons.ts';
import { Icon } from './icon.tsx';

/** A link that downloads a list. */
export function CsvLink({ href }: { href: string }) {
  return (
    <a class="button" href={href} download>
      <Icon path={icons.download} size={18} />
      CSV
    </a>
  );
}
