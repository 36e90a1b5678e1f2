-- Letters that names of a zone may have besides a to z, digits and the hyphen. A name with others can be in the register, but not be
-- registered. By default the vowels of Māori with macrons, as .nz sells them.
alter table zone add column letters text not null default 'āēīōū'
  check (letters is nfc normalized and letters !~ '[\x01-\x7f[:space:]]');
