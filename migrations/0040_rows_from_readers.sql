-- The process that reads a file cuts its areas and drops slivers.
drop function cut_into_pieces(geometry, integer);
drop function without_slivers(geometry);
drop function is_sliver(geometry);
