import { announce } from '../shared/announce.ts';
import { asApiError, request } from '../shared/api.ts';
import { button } from '../shared/button.ts';
import { fill, h } from '../shared/dom.ts';
import type { MapSettings } from '../shared/map/map.ts';
import { showMap } from '../shared/map/show.ts';
import { errorNotice } from '../shared/notice.ts';
import { readAddress, type ViewAddress, writeAddress } from './address.ts';
import { type Answer, answerCard, inShort } from './answer.ts';
import { layerSwitches } from './layers.ts';
import { layersOf, technologyOverlay } from './overlay.ts';
import type { Position } from './position.ts';
import { searchForm } from './search.ts';

/** What the page has to know of the service. */
export interface PublicSettings extends MapSettings {
  technologies: { set_id: number; name: string; label: string }[];
}

/** How near a place is looked at that somebody has searched for. */
const searchedZoom = 12;

/** The map for everybody: layers, a search, and what there is at a point. */
export function publicMap(settings: PublicSettings): HTMLElement {
  const { technologies, service_area: area } = settings;
  const labels = new Map(technologies.map(({ name, label }) => [name, label]));
  let view: ViewAddress = readAddress(location.hash);
  const place = showMap('Map of broadband coverage', settings, { isPage: true });
  const card = h('section', { class: 'answer', 'aria-label': 'At this place', hidden: true });
  const search = searchForm(area, goTo);
  const switches = layerSwitches(technologies, view.hidden, (hidden) => {
    view = { ...view, hidden };
    note();
    void place.ready.then((map) => {
      for (const { name } of technologies) map?.setVisible(layersOf(name), !hidden.includes(name));
    });
  });
  const panel = h(
    'div',
    { class: 'panel', id: 'panel', tabindex: '-1' },
    h(
      'div',
      { class: 'panel-head' },
      h('h1', {}, 'What broadband is here?'),
      h('p', { class: 'muted small' }, 'Click on the map, or search for a place.'),
      search.element,
    ),
    card,
    switches,
  );

  void place.ready.then((map) => {
    if (!map) return;
    const libre = map.map;
    if (view.centre) libre.jumpTo({ center: view.centre, zoom: view.zoom ?? searchedZoom });
    else if (view.at) libre.jumpTo({ center: view.at, zoom: searchedZoom });
    for (const [i, { name, set_id: set }] of technologies.entries()) {
      map.show(name, technologyOverlay(name, set, i));
      map.setVisible(layersOf(name), !view.hidden.includes(name));
    }
    if (view.at) map.mark(view.at);
    libre.on('click', ({ lngLat }) => look(rounded(lngLat), true));
    libre.on('moveend', () => {
      view = { ...view, centre: rounded(libre.getCenter()), zoom: Number(libre.getZoom().toFixed(2)) };
      note();
    });
    // Without a mouse: the middle of the map, which has a mark while the map has the focus.
    const canvas = libre.getCanvas();
    canvas.setAttribute(
      'aria-label',
      `${canvas.getAttribute('aria-label')} Enter tells what there is in the middle.`,
    );
    canvas.addEventListener('keydown', (event) => {
      if (event.key === 'Enter') look(rounded(libre.getCenter()), true);
    });
    place.element.append(h('div', { class: 'crosshair', 'aria-hidden': 'true' }));
  });

  window.addEventListener('popstate', () => {
    view = readAddress(location.hash);
    void place.ready.then((map) => {
      if (view.centre) map?.map.jumpTo({ center: view.centre, zoom: view.zoom ?? searchedZoom });
    });
    if (view.at) look(view.at, false);
    else close();
  });
  if (view.at) look(view.at, false);

  /** The address of the page follows the view, without a step for the browser's Back. */
  function note(): void {
    history.replaceState(null, '', writeAddress(view));
  }

  async function goTo(position: Position, zoom: number | undefined): Promise<void> {
    const map = await place.ready;
    map?.map.jumpTo({ center: position, zoom: zoom ?? Math.max(map.map.getZoom(), searchedZoom) });
    if (zoom === undefined) await look(position, true);
    else announce('The map has moved.');
  }

  function close(): void {
    view = { ...view, at: undefined };
    card.hidden = true;
    fill(card);
    void place.ready.then((map) => map?.mark());
  }

  /** Asks what there is at a position. @param isStep whether the browser's Back is to return from it */
  async function look(at: Position, isStep: boolean): Promise<void> {
    view = { ...view, at };
    if (isStep) history.pushState(null, '', writeAddress(view));
    void place.ready.then((map) => map?.mark(at));
    card.hidden = false;
    card.setAttribute('aria-busy', 'true');
    if (card.childElementCount === 0) fill(card, h('p', { class: 'muted' }, 'Looking …'));
    const isLatest = () => view.at === at;
    try {
      const answer = await request<Answer>('GET', `/api/map/lookup?lat=${at.lat}&lng=${at.lng}`);
      if (!isLatest()) return;
      fill(card, answerCard(answer, labels, leave));
      announce(inShort(answer, labels));
    } catch (error) {
      if (!isLatest()) return;
      fill(
        card,
        errorNotice(
          asApiError(error),
          button('Try again', () => look(at, false)),
        ),
      );
    } finally {
      if (isLatest()) card.removeAttribute('aria-busy');
    }
  }

  function leave(): void {
    close();
    note();
    search.focus();
  }

  return h('div', { class: 'map-layout' }, panel, place.element);
}

/** As many decimals as a map shows: the sixth is a hand's width. */
function rounded({ lat, lng }: Position): Position {
  return { lat: Number(lat.toFixed(6)), lng: Number(lng.toFixed(6)) };
}
