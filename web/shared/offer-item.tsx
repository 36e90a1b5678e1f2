import type { ComponentChildren } from 'preact';
import { type Offer, offerTime } from './offers.ts';
import { speed, speedRange } from './words.ts';

/** The offer as a list item, with the provider's address, and the other speeds below. @param children further lines */
export function OfferItem({ offer, children }: { offer: Offer; children?: ComponentChildren }) {
  const { technology, name, url, wholesale_network: wholesale } = offer;
  // Operators submit the addresses. One that ends in .invalid stands for none.
  const isWeb = /^https?:\/\//i.test(url) && !/^https?:\/\/[^/]*\.invalid\//.test(url);
  return (
    <li class={offer.isAvailable ? 'offer' : 'offer later'}>
      <p>
        <strong>{technology}</strong> up to <strong>{speed(offer.bandwidth_max_mbps)}</strong> from{' '}
        {isWeb ? (
          <a href={url} rel="noopener noreferrer nofollow" target="_top">
            {name}
          </a>
        ) : (
          name
        )}
        , {offerTime(offer)}.
      </p>
      <p class="muted small">
        Download {speedRange(offer.bandwidth_min_mbps, offer.bandwidth_max_mbps)}, upload{' '}
        {speedRange(offer.bandwidth_up_min_mbps, offer.bandwidth_up_max_mbps)}.
        {wholesale === 'Yes' && ' Sold by internet providers that use this network.'}
      </p>
      {children}
    </li>
  );
}
